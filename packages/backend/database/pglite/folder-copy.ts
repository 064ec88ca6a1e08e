import { constants, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export type PauseWrites = (work: () => Promise<void>) => Promise<void>;

interface FileStamp {
  size: bigint;
  changedNs: bigint;
  inode: bigint;
}

/** Clock granularity: a file changed just before it was copied may change again with the same timestamp. */
const CLOCK_TICK_NS = 3_000_000_000n;
const NEVER_COPIED: FileStamp = { size: -1n, changedNs: -1n, inode: -1n };

/** Copies while writes continue, then pauses them to copy what changed. @param to a folder that does not exist yet */
export async function copyWhileInUse(from: string, to: string, pauseWrites: PauseWrites): Promise<void> {
  const copied = new Map<string, FileStamp>();
  const copyChanged = async () => {
    const { folders, files } = listTree(from);
    for (const folder of folders) await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
    for (const [path, stamp] of files) {
      if (isUnchanged(copied.get(path), stamp)) continue;
      const isRecent = BigInt(Date.now()) * 1_000_000n - stamp.changedNs < CLOCK_TICK_NS;
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).catch(ignoreMissing);
      copied.set(path, isRecent ? NEVER_COPIED : stamp);
    }
    for (const path of copied.keys()) if (!files.has(path)) await rm(join(to, path), { force: true });
  };
  await mkdir(to, { mode: 0o700 });
  await copyChanged();
  await pauseWrites(copyChanged);
}

/** Synchronous, as all writes wait: a thousand files take some milliseconds. */
function listTree(folder: string): { folders: string[]; files: Map<string, FileStamp> } {
  const folders: string[] = [];
  const files = new Map<string, FileStamp>();
  const visit = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) {
        folders.push(inner);
        visit(inner);
        continue;
      }
      const stats = statSync(join(folder, inner), { bigint: true, throwIfNoEntry: false });
      if (stats) files.set(inner, { size: stats.size, changedNs: stats.ctimeNs, inode: stats.ino });
    }
  };
  visit('');
  return { folders, files };
}

const isUnchanged = (a: FileStamp | undefined, b: FileStamp) =>
  a !== undefined && a.size === b.size && a.changedNs === b.changedNs && a.inode === b.inode;

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
