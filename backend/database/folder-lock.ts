import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Takes a database folder for this process. Two engines in one folder would destroy it without complaint.
 * The lock ends with the process, however that ends.
 * @returns lets go of the folder
 * @throws Error that names the folder and the process that has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const parent = dirname(resolve(folder));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const path = await realpath(folder).catch(async () => join(await realpath(parent), basename(folder)));
  return process.platform === 'linux' ? lockWithSocket(path) : lockWithFile(path);
}

const inUse = (folder: string, owner: string) =>
  new Error(
    `The database folder ${folder} is in use by process ${owner}. Stop that server first, or set DATA_DIR to another folder.`,
  );

/** An abstract socket has no file: the system frees its name when the process is gone. */
async function lockWithSocket(folder: string): Promise<() => Promise<void>> {
  const name = `\0madhouse-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(`${process.pid}\n`);
  });
  try {
    await new Promise<void>((taken, failed) => server.once('error', failed).listen(name, taken));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw inUse(folder, await ownerBehind(name));
  }
  server.unref();
  return () => new Promise((released) => server.close(() => released()));
}

/** Asks the owner for its process id; one that is too busy to answer is still the owner. */
const ownerBehind = (name: string) =>
  new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(name);
    const answer = () => resolve(text.trim() || 'unknown (it does not answer)');
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', () => {});
    socket.on('close', answer);
  });

async function lockWithFile(folder: string): Promise<() => Promise<void>> {
  const file = `${folder}.pid`;
  try {
    await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = Number(readFileSync(file, 'utf8'));
    if (isAlive(owner)) throw inUse(folder, `${owner} (if there is no such server, delete ${file})`);
    await rm(file, { force: true });
    return lockWithFile(folder);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  return async () => {
    process.off('exit', release);
    release();
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
