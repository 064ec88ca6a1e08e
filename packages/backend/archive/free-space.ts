import { statfs } from 'node:fs/promises';
import { megabytes } from '../data-dir/disk-space.ts';
import type { Connection } from '../database/database.ts';

export class InsufficientSpace extends Error {
  override readonly name = 'InsufficientSpace';
}

/** @param requiredBytes bytes to write @param reservedBytes bytes that must stay free @throws InsufficientSpace */
export async function requireFreeSpace(folder: string, requiredBytes: number, reservedBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free - requiredBytes >= reservedBytes) return;
  throw new InsufficientSpace(
    `This needs about ${megabytes(requiredBytes)}; the disk of ${folder} has ${megabytes(free)} free, of which ${megabytes(reservedBytes)} are reserved. Free some space or use another disk.`,
  );
}

export async function readDatabaseBytes(db: Connection): Promise<number> {
  const { rows } = await db.query<{ size: number }>('select pg_database_size(current_database()) as size');
  return rows[0]!.size;
}
