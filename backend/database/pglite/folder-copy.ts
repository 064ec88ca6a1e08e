import { constants, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Stops whatever writes to a folder, does the work, and lets it go on. */
export type StandStill = (work: () => Promise<void>) => Promise<void>;

/** What a file looked like when it was copied. */
interface Seen {
  size: bigint;
  /** Of the last change, nanoseconds since the epoch. */
  changed: bigint;
  inode: bigint;
}

/** A clock ticks in steps: a file that changed just before it was copied may change again and look the same. */
const TICK_NS = 3_000_000_000n;
/** Equals no file, so it is copied again. */
const NEVER: Seen = { size: -1n, changed: -1n, inode: -1n };

/**
 * Copies a folder that is being written to: all of it while the writing goes on, then, standing still, what changed
 * meanwhile. So the pause is about what changed, not about how much there is.
 * @param to a folder that is not there yet
 */
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

/** At once, as everybody waits while it is done: a thousand files take some milliseconds. */
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

/** Gone since it was looked at. Nothing goes while all stands still. */
function missingIsFine(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
