import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ON_DISK = ['/var/tmp', join(import.meta.dirname, '..', 'node_modules', '.cache')];
const NAME = 'madhouse-tests-';
/** tmpfs and ramfs, as `statfs` names them: both are volatile, so fsync has no effect there. */
const VOLATILE = [0x01021994, 0x858458f6];
/** A whole run holds less than a tenth of this at a time. */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Puts the temporary files of this process, and of all it starts, into memory where there is plenty of it. Each test's
 * database is a thousand small files, which some disks take more than a second to make and as long to remove. Tests of
 * what outlives a failure ask for `folderOnDisk` instead.
 */
export function keepScratchInMemory(): void {
  if (!existsSync(IN_MEMORY) || process.env['TMPDIR']?.startsWith(IN_MEMORY)) return;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < ENOUGH_BYTES) return;
  process.env['TMPDIR'] = folderIn(IN_MEMORY);
}

/**
 * A new folder on a disk, for tests of what kills, full disks and lost power leave of files.
 * @throws Error where only volatile file systems are available
 */
export function folderOnDisk(): string {
  mkdirSync(ON_DISK[1]!, { recursive: true });
  const place = ON_DISK.find((folder) => existsSync(folder) && !VOLATILE.includes(statfsSync(folder).type));
  if (!place) throw new Error(`This test needs a folder on a disk; both ${ON_DISK.join(' and ')} lie in memory.`);
  return folderIn(place);
}

const made: string[] = [];

/** It goes when this process ends; what a killed one left goes when the next one begins. */
function folderIn(place: string): string {
  for (const left of readdirSync(place).filter((name) => name.startsWith(NAME)))
    if (!isRunning(Number(left.split('-')[2]))) remove(join(place, left));
  const folder = mkdtempSync(join(place, `${NAME}${process.pid}-`));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  // One listener for all of them: a file of tests makes dozens.
  if (made.push(folder) === 1) process.once('exit', removeMade);
  return folder;
}

function removeMade(): void {
  for (const folder of made) remove(folder);
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // A file system that a killed test mounted inside.
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
