import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ON_DISK = ['/var/tmp', join(import.meta.dirname, '..', 'node_modules', '.cache')];
const NAME = 'madhouse-tests-';
/** `statfs` types of tmpfs and ramfs, where fsync has no effect. */
const VOLATILE = [0x01021994, 0x858458f6];
/** A test run uses less than a tenth of this at a time. */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Moves the temporary files of this process and its children to memory if there is enough: a test database has a thousand
 * small files, which some disks need seconds to create and delete. Tests of durability use `folderOnDisk` instead.
 */
export function keepScratchInMemory(): void {
  if (!existsSync(IN_MEMORY) || process.env['TMPDIR']?.startsWith(IN_MEMORY)) return;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < ENOUGH_BYTES) return;
  process.env['TMPDIR'] = folderIn(IN_MEMORY);
}

/**
 * Creates a folder on a disk, for tests of kills, full disks and power loss.
 * @throws Error when only volatile file systems are available
 */
export function folderOnDisk(): string {
  mkdirSync(ON_DISK[1]!, { recursive: true });
  const parent = ON_DISK.find((folder) => existsSync(folder) && !VOLATILE.includes(statfsSync(folder).type));
  if (!parent) throw new Error(`This test needs a folder on a disk; both ${ON_DISK.join(' and ')} are in memory.`);
  return folderIn(parent);
}

const folders: string[] = [];

/** Deleted when this process ends; the next process deletes the folder of a killed one. */
function folderIn(parent: string): string {
  for (const leftover of readdirSync(parent).filter((name) => name.startsWith(NAME)))
    if (!isRunning(Number(leftover.split('-')[2]))) remove(join(parent, leftover));
  const folder = mkdtempSync(join(parent, `${NAME}${process.pid}-`));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  // One exit listener for all folders, because a test file creates dozens.
  if (folders.push(folder) === 1) process.once('exit', removeMade);
  return folder;
}

function removeMade(): void {
  for (const folder of folders) remove(folder);
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    // The folder may contain a file system mounted by a killed test.
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
