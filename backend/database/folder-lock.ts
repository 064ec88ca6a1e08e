import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Takes a database folder for this process: two engines in one folder would destroy it without complaint.
 * The lock is a listening socket, so it ends with the process, however that ends, and can be asked who holds it.
 * @returns lets go of the folder
 * @throws Error that names the folder and the process that has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const parent = dirname(resolve(folder));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const path = await realpath(folder).catch(async () => join(await realpath(parent), basename(folder)));
  const held = [await hold(path, systemName(path))];
  try {
    if (process.platform !== 'win32') held.push(await holdFile(path, `${path}.lock`));
  } catch (error) {
    await release(held);
    throw error;
  }
  return () => release(held);
}

/** A name that the system frees with its owner; on other systems than these two the file below has to do. */
function systemName(folder: string): string | null {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  if (process.platform === 'linux') return `\0madhouse-${hash}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\madhouse-${hash}` : null;
}

async function hold(folder: string, address: string | null): Promise<Server | null> {
  if (address === null) return null;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(`${process.pid} on ${hostname()}`);
  });
  try {
    await new Promise<void>((taken, failed) => server.once('error', failed).listen(address, taken));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw inUse(folder, (await ownerBehind(address)) || 'that does not answer');
  }
  return server.unref();
}

/** Two containers do not see each other's system names, but they do see the files of a volume they share. */
async function holdFile(folder: string, file: string): Promise<Server | null> {
  const owner = await ownerBehind(file);
  if (owner !== null) throw inUse(folder, owner || 'that does not answer');
  await rm(file, { force: true });
  try {
    return await hold(folder, file);
  } catch (error) {
    // Some file systems have no sockets, and their paths may not be long.
    if (/in use/.test((error as Error).message)) throw error;
    return null;
  }
}

/** Asks the owner who it is: null when there is none, empty when it is too busy to say. */
const ownerBehind = (address: string) =>
  new Promise<string | null>((answer) => {
    let text = '';
    let connected = false;
    const socket = connect(address);
    socket.on('connect', () => (connected = true));
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', () => {});
    socket.on('close', () => answer(connected ? text : null));
    socket.setTimeout(2_000, () => socket.destroy());
  });

const inUse = (folder: string, owner: string) =>
  new Error(
    `The database folder ${folder} is in use by process ${owner}. Stop that server first, or set DATA_DIR to another folder.`,
  );

const release = async (servers: (Server | null)[]) => {
  await Promise.all(servers.map((server) => server && new Promise((closed) => server.close(closed))));
};
