import { createHash } from 'node:crypto';
import { mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResult } from './archive-checks.ts';
import type { Manifest } from './manifest.ts';

/** Archives and the snapshot socket; accessible to the owner only. */
export const archivesFolder = (dataDir: string): string => join(dataDir, 'archives');

export type SnapshotResponse = { database: string | null } | { refused: string };

/** The command's JSON lines: a request for a snapshot, or the result of a check to record. */
export type SnapshotRequest = { want: 'snapshot' } | { want: 'remember'; check: CheckResult };
export type ArchiveReport = { made: Pick<Manifest, 'contents' | 'madeAt'> };

export const IN_PROGRESS_MESSAGE = 'Another archive is in progress. Try again when it is done.';

/** @returns `release`, to be called after closing the socket */
export async function socketAddress(dataDir: string): Promise<{ address: string; release: () => Promise<void> }> {
  const folder = archivesFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const noop = async () => {};
  if (process.platform === 'win32') {
    const hash = createHash('sha256')
      .update(await realpath(folder))
      .digest('hex')
      .slice(0, 32);
    return { address: `\\\\.\\pipe\\madhouse-archives-${hash}`, release: noop };
  }
  if (process.platform !== 'linux') return { address: join(folder, 'socket'), release: noop };
  // A socket's path is limited to about a hundred bytes; that of an open folder is short.
  const handle = await open(folder, 'r');
  return { address: `/proc/self/fd/${handle.fd}/socket`, release: () => handle.close() };
}
