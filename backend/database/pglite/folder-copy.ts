import { constants, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export type StandStill = (work: () => Promise<void>) => Promise<void>;

interface Seen {
  size: bigint;
  changed: bigint;
  inode: bigint;
}

/** Clock granularity: a file changed just before it was copied may change again with the same timestamp. */
const TICK_NS = 3_000_000_000n;
const NEVER: Seen = { size: -1n, changed: -1n, inode: -1n };

/** Copies while writes continue, then pauses them to copy what changed. @param to a folder that does not exist yet */
export async function copyInUse(from: string, to: string, standStill: StandStill): Promise<void> {
  const copied = new Map<string, Seen>();
  const copyChanged = async () => {
    const { folders, files } = look(from);
    for (const folder of folders) await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
    for (const [path, seen] of files) {
      if (same(copied.get(path), seen)) continue;
      const justNow = BigInt(Date.now()) * 1_000_000n - seen.changed < TICK_NS;
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).catch(missingIsFine);
      copied.set(path, justNow ? NEVER : seen);
    }
    for (const path of copied.keys()) if (!files.has(path)) await rm(join(to, path), { force: true });
  };
  await mkdir(to, { mode: 0o700 });
  await copyChanged();
  await standStill(copyChanged);
}

/** Synchronous, as all writes wait: a thousand files take some milliseconds. */
function look(folder: string): { folders: string[]; files: Map<string, Seen> } {
  const folders: string[] = [];
  const files = new Map<string, Seen>();
  const enter = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) {
        folders.push(inner);
        enter(inner);
        continue;
      }
      const found = statSync(join(folder, inner), { bigint: true, throwIfNoEntry: false });
      if (found) files.set(inner, { size: found.size, changed: found.ctimeNs, inode: found.ino });
    }
  };
  enter('');
  return { folders, files };
}

const same = (a: Seen | undefined, b: Seen) =>
  a !== undefined && a.size === b.size && a.changed === b.changed && a.inode === b.inode;

function missingIsFine(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
