import { createHash } from 'node:crypto';
import { mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a server keeps its archives and is asked for a snapshot, in DATA_DIR; nobody but its owner may enter. */
export const archivesFolder = (dataDir: string): string => join(dataDir, 'archives');

/** What the server says first: the folder of the copied database, null when there is a server for that, or a refusal. */
export type Greeting = { database: string | null } | { refused: string };

/** What the command says when the archive is there and verified. */
export const MADE = 'made\n';

/**
 * The address of a server's socket, made usable however long its path is.
 * @returns `done` lets go of the folder, after the socket was closed
 */
export async function socketAddress(dataDir: string): Promise<{ address: string; done: () => Promise<void> }> {
  const folder = archivesFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const nothing = async () => {};
  if (process.platform === 'win32') {
    const hash = createHash('sha256')
      .update(await realpath(folder))
      .digest('hex')
      .slice(0, 32);
    return { address: `\\\\.\\pipe\\madhouse-archives-${hash}`, done: nothing };
  }
  if (process.platform !== 'linux') return { address: join(folder, 'socket'), done: nothing };
  // The path of a socket may have a hundred bytes; that of an open folder is short.
  const handle = await open(folder, 'r');
  return { address: `/proc/self/fd/${handle.fd}/socket`, done: () => handle.close() };
}
