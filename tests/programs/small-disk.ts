import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { folderOnDisk } from '../scratch.ts';

/**
 * A file system of a few hundred megabytes in a file on a real disk, visible to its own processes only. It has no journal,
 * so that fsync of one file does not persist others: data without fsync is lost after a failure.
 */
export interface SmallDisk {
  /** Mount point, as seen by its processes. */
  folder: string;
  /** Command prefix that runs a program with the mount visible. */
  launcher: string[];
  /** Maps a path below the mount point to one that this process can open. */
  path(...parts: string[]): string;
  free(): number;
  flushCount(): number;
  /** Fills the disk, except for `left` bytes, as another program would. */
  fill(leftBytes?: number): void;
  drain(): void;
  /** Simulates power loss: all writes fail, and data without fsync is lost. */
  losePower(): void;
  /** Checks and mounts the file system, as after a reboot. No process may have its files open. */
  restorePower(): void;
  end(): Promise<void>;
}

/** Reason why this machine cannot mount such a disk; null when it can. */
export const smallDiskProblem = (() => {
  const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
  if (process.platform !== 'linux') return 'mounting needs Linux';
  if (process.getuid?.() !== 0) return 'mounting needs root';
  if (!succeeds('unshare', '-m', 'true')) return 'mount namespaces are not available';
  if (!succeeds('losetup', '--find')) return 'this machine has no loop devices';
  return succeeds('mkfs.ext4', '-V') ? null : 'mkfs.ext4 is not installed';
})();

/** Index of the flush count in the kernel's statistics of a block device. */
const FLUSHES = 15;
const FILLER = 'filler';
const CHUNK = Buffer.alloc(1024 * 1024, 1);
/** EXT4_IOC_SHUTDOWN with the flag that discards the log. */
const SHUT_DOWN =
  'open(my $disk, "<", shift) or die $!; my $how = pack("L", 2); ioctl($disk, 0x8004587d, $how) or die $!';

/** Mounts a disk in its own mount namespace, which ends with this process. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const root = folderOnDisk();
  const [folder, image, persisted] = [join(root, 'disk'), join(root, 'image'), join(root, 'reached')];
  mkdirSync(folder);
  execFileSync('truncate', ['-s', `${megabytes}M`, image]);
  execFileSync('mkfs.ext4', ['-q', '-m', '0', '-O', '^has_journal', image]);
  // `cat` keeps the namespace alive until its standard input closes with this process.
  const args = ['-m', 'sh', '-c', '"$@" && echo mounted && exec cat', 'sh', ...mount(image, folder)];
  const namespace = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await Promise.race([
    once(namespace.stdout, 'data'),
    once(namespace, 'exit').then(() => Promise.reject(new Error('mounting the small disk failed'))),
  ]);
  const nsenter = ['nsenter', '-m', '-t', String(namespace.pid)] as const;
  const path = (...parts: string[]) => join(`/proc/${namespace.pid}/root`, folder, ...parts);
  const free = () => {
    const { bavail, bsize } = statfsSync(path());
    return bavail * bsize;
  };
  return {
    folder,
    launcher: [...nsenter, `--wdns=${process.cwd()}`],
    path,
    free,
    flushCount() {
      const mounts = readFileSync(`/proc/${namespace.pid}/mounts`, 'utf8').split('\n');
      const [device] = mounts.find((line) => line.split(' ')[1] === folder)!.split(' ');
      const stat = readFileSync(`/sys/block/${basename(device!)}/stat`, 'utf8');
      return Number(stat.trim().split(/\s+/)[FLUSHES]);
    },
    fill(leftBytes = 0) {
      const file = openSync(path(FILLER), 'a');
      try {
        for (let remaining = free() - leftBytes; remaining > 0; remaining = free() - leftBytes)
          writeSync(file, CHUNK, 0, Math.min(CHUNK.length, remaining));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    drain: () => rmSync(path(FILLER), { force: true }),
    losePower() {
      execFileSync('perl', ['-e', SHUT_DOWN, path()]);
      // Unmounting would still write cached data to the image.
      execFileSync('cp', ['--sparse=always', image, persisted]);
    },
    restorePower() {
      const [command, ...args] = nsenter;
      execFileSync(command, [...args, 'umount', folder]);
      renameSync(persisted, image);
      const { status, stdout } = spawnSync('e2fsck', ['-fy', image], { encoding: 'utf8' });
      // Exit code 1: errors were corrected.
      if (status !== 0 && status !== 1) throw new Error(`e2fsck could not repair the small disk:\n${stdout}`);
      execFileSync(command, [...args, ...mount(image, folder)]);
    },
    async end() {
      const ended = once(namespace, 'exit');
      namespace.stdin.end();
      await ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const mount = (image: string, folder: string) => ['mount', '-o', 'loop', image, folder];
