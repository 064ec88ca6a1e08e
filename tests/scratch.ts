import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const NAME = 'madhouse-tests-';
/** A whole run holds less than a tenth of this at a time. */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Puts the temporary files of this process, and of all it starts, into memory where there is plenty of it. Each test's
 * database is a thousand small files, which some disks take more than a second to make and as long to remove. They go
 * when this process ends; what a killed one left goes when the next one begins.
 */
export function keepScratchInMemory(): void {
  if (!existsSync(IN_MEMORY) || process.env['TMPDIR']?.startsWith(IN_MEMORY)) return;
  for (const left of readdirSync(IN_MEMORY).filter((name) => name.startsWith(NAME)))
    if (!isRunning(Number(left.split('-')[2]))) rmSync(join(IN_MEMORY, left), { recursive: true, force: true });
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < ENOUGH_BYTES) return;
  const folder = mkdtempSync(join(IN_MEMORY, `${NAME}${process.pid}-`));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
