import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { folderOnDisk } from '../scratch.ts';

/**
 * A file system of a few hundred megabytes that only its own processes see, in a file on a real disk. It keeps no
 * journal, so that forcing one file or folder takes no other along: what was not synced is lost after a failure.
 */
export interface SmallDisk {
  /** Its folder as they see it. */
  folder: string;
  /** A command starts on it with these words in front. */
  launcher: string[];
  /** The same file or folder as this process sees it. */
  path(...parts: string[]): string;
  /** Free bytes. */
  free(): number;
  /** How often its device was flushed, by any process. */
  forces(): number;
  /** Takes all that is free, as another program would, or all but so many bytes. */
  fill(left?: number): void;
  /** Gives that back. */
  drain(): void;
  /** From here on nothing reaches it: every write fails, and what was written without being forced is lost. */
  losePower(): void;
  /** Repairs it as a machine does at its start, and mounts what had reached it. No process may have its files open. */
  restorePower(): void;
  end(): Promise<void>;
}

/** Why there can be no such disk here; null when there can. */
export const noSmallDisk = (() => {
  const works = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
  if (process.platform !== 'linux') return 'file systems are mounted here on Linux only';
  if (process.getuid?.() !== 0) return 'only root may mount a file system';
  if (!works('unshare', '-m', 'true')) return 'this machine gives no process a view of the disks of its own';
  if (!works('losetup', '--find')) return 'this machine has no loop devices';
  return works('mkfs.ext4', '-V') ? null : 'there is no mkfs.ext4';
})();

/** Where the kernel's statistics of a block device count flushes. */
const FLUSHES = 15;
const FILLER = 'filler';
const CHUNK = Buffer.alloc(1024 * 1024, 1);
/** EXT4_IOC_SHUTDOWN, without writing anything out first. */
const SHUT_DOWN =
  'open(my $disk, "<", shift) or die $!; my $how = pack("L", 2); ioctl($disk, 0x8004587d, $how) or die $!';

/** Mounts one, where only a process of its own sees it. It ends with this process. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const place = folderOnDisk();
  const [folder, image, reached] = [join(place, 'disk'), join(place, 'image'), join(place, 'reached')];
  mkdirSync(folder);
  execFileSync('truncate', ['-s', `${megabytes}M`, image]);
  execFileSync('mkfs.ext4', ['-q', '-m', '0', '-O', '^has_journal', image]);
  // `cat` holds the mount until its standard input ends, which it does with us.
  const holder = spawn(
    'unshare',
    ['-m', 'sh', '-c', '"$@" && echo mounted && exec cat', 'sh', ...mount(image, folder)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => Promise.reject(new Error('the small disk could not be mounted'))),
  ]);
  const inside = ['nsenter', '-m', '-t', String(holder.pid)] as const;
  const path = (...parts: string[]) => join(`/proc/${holder.pid}/root`, folder, ...parts);
  const free = () => {
    const { bavail, bsize } = statfsSync(path());
    return bavail * bsize;
  };
  return {
    folder,
    launcher: [...inside, `--wdns=${process.cwd()}`],
    path,
    free,
    forces() {
      const mounts = readFileSync(`/proc/${holder.pid}/mounts`, 'utf8').split('\n');
      const [device] = mounts.find((line) => line.split(' ')[1] === folder)!.split(' ');
      const stat = readFileSync(`/sys/block/${basename(device!)}/stat`, 'utf8');
      return Number(stat.trim().split(/\s+/)[FLUSHES]);
    },
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
    losePower() {
      execFileSync('perl', ['-e', SHUT_DOWN, path()]);
      // What is only in memory still gets to the image when it is unmounted.
      execFileSync('cp', ['--sparse=always', image, reached]);
    },
    restorePower() {
      const [command, ...words] = inside;
      execFileSync(command, [...words, 'umount', folder]);
      renameSync(reached, image);
      const { status, stdout } = spawnSync('e2fsck', ['-fy', image], { encoding: 'utf8' });
      // 1: repaired.
      if (status !== 0 && status !== 1) throw new Error(`the small disk cannot be repaired:\n${stdout}`);
      execFileSync(command, [...words, ...mount(image, folder)]);
    },
    async end() {
      const ended = once(holder, 'exit');
      holder.stdin.end();
      await ended;
      rmSync(place, { recursive: true, force: true });
    },
  };
}

const mount = (image: string, folder: string) => ['mount', '-o', 'loop', image, folder];
