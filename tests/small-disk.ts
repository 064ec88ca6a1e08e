import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few hundred megabytes that only its own processes see. */
export interface SmallDisk {
  /** Its folder as they see it. */
  folder: string;
  /** A command starts on it with these words in front. */
  launcher: string[];
  /** The same file or folder as this process sees it. */
  path(...parts: string[]): string;
  /** Free bytes. */
  free(): number;
  /** Takes all that is free, as another program would, or all but so many bytes. */
  fill(left?: number): void;
  /** Gives that back. */
  drain(): void;
  end(): Promise<void>;
}

/** Why there can be no such disk here; null when there can. */
export const noSmallDisk =
  process.platform !== 'linux'
    ? 'file systems are mounted here on Linux only'
    : process.getuid?.() !== 0
      ? 'only root may mount a file system'
      : null;

const FILLER = 'filler';
const CHUNK = Buffer.alloc(1024 * 1024, 1);

/**
 * Mounts one, where only a process of its own sees it. It ends with this process.
 * @param options `imageIn`: an ext4 in a file of that folder, for a real disk below it, instead of memory
 */
export async function mountSmallDisk(megabytes: number, { imageIn }: { imageIn?: string } = {}): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-disk-'));
  const image = imageIn && join(imageIn, `madhouse-disk-${process.pid}.img`);
  if (image) {
    execFileSync('truncate', ['-s', `${megabytes}M`, image]);
    execFileSync('mkfs.ext4', ['-q', '-m', '0', image]);
  }
  const mount = image
    ? ['mount', '-o', 'loop', image, folder]
    : ['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  // `cat` holds the mount until its standard input ends, which it does with us.
  const holder = spawn('unshare', ['-m', 'sh', '-c', '"$@" && echo mounted && exec cat', 'sh', ...mount], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => Promise.reject(new Error('the small disk could not be mounted'))),
  ]);
  const path = (...parts: string[]) => join(`/proc/${holder.pid}/root`, folder, ...parts);
  const free = () => {
    const { bavail, bsize } = statfsSync(path());
    return bavail * bsize;
  };
  return {
    folder,
    launcher: ['nsenter', '-m', '-t', String(holder.pid), `--wdns=${process.cwd()}`],
    path,
    free,
    fill(left = 0) {
      const file = openSync(path(FILLER), 'a');
      try {
        for (let room = free() - left; room > 0; room = free() - left)
          writeSync(file, CHUNK, 0, Math.min(CHUNK.length, room));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    drain: () => rmSync(path(FILLER), { force: true }),
    async end() {
      const ended = once(holder, 'exit');
      holder.stdin.end();
      await ended;
      if (image && existsSync(image)) rmSync(image);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
