import { type BigIntStats, constants, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { nullIfMissing } from '../../data-dir/durable-file.ts';

export type PauseWrites = (work: () => Promise<void>) => Promise<void>;

/** Clock granularity: a file changed just before it was copied may change again with the same timestamp. */
const CLOCK_TICK_NS = 3_000_000_000n;

/** Copies while writes continue, then pauses them to copy what changed. @param to a folder that does not exist yet */
export async function copyWhileInUse(from: string, to: string, pauseWrites: PauseWrites): Promise<void> {
  const copied = new Map<string, string>();
  const copyChanged = async () => {
    const { folders, files } = listTree(from);
    for (const folder of folders) await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
    for (const [path, stats] of files) {
      const stamp = [stats.size, stats.ctimeNs, stats.ino].join();
      if (copied.get(path) === stamp) continue;
      const isRecent = BigInt(Date.now()) * 1_000_000n - stats.ctimeNs < CLOCK_TICK_NS;
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).catch(nullIfMissing);
      copied.set(path, isRecent ? '' : stamp);
    }
    for (const path of copied.keys()) if (!files.has(path)) await rm(join(to, path), { force: true });
  };
  await mkdir(to, { mode: 0o700 });
  await copyChanged();
  await pauseWrites(copyChanged);
}

/** Synchronous, as all writes wait: a thousand files take some milliseconds. */
function listTree(folder: string): { folders: string[]; files: Map<string, BigIntStats> } {
  const folders: string[] = [];
  const files = new Map<string, BigIntStats>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const stats = entry.isDirectory() ? null : statSync(path, { bigint: true, throwIfNoEntry: false });
    if (entry.isDirectory()) folders.push(relative(folder, path));
    else if (stats) files.set(relative(folder, path), stats);
  }
  return { folders, files };
}
