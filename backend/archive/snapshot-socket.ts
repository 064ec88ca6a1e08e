import { createHash } from 'node:crypto';
import { mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './checks.ts';
import type { Manifest } from './manifest.ts';

/** Where a server keeps its archives and is asked for a snapshot, in DATA_DIR; nobody but its owner may enter. */
export const archivesFolder = (dataDir: string): string => join(dataDir, 'archives');

/** What the server says: the folder of the copied database, null when there is a server for that, or a refusal. */
export type Greeting = { database: string | null } | { refused: string };

/**
 * What the command says, a line of JSON each. First what it wants: a house that stands still, or to have it remembered what
 * came of a check. While it has one: that the archive is there and verified.
 */
export type SnapshotRequest = { want: 'snapshot' } | { want: 'remember'; check: Check };
export type Made = { made: Pick<Manifest, 'contents' | 'madeAt'> };

export const ANOTHER = 'Another archive is in progress. Try again when it is done.';

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
