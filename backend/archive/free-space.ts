import { statfs } from 'node:fs/promises';
import type { Connection } from '../database/database.ts';
import { megabytes } from '../disk-space.ts';

export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/** @param needed bytes to write @param keepFree bytes that must stay free @throws NoRoom */
export async function requireRoom(folder: string, needed: number, keepFree: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free - needed >= keepFree) return;
  throw new NoRoom(
    `This needs about ${megabytes(needed)}; the disk of ${folder} has ${megabytes(free)} free, of which ${megabytes(keepFree)} are reserved. Free some space or use another disk.`,
  );
}

export async function databaseSize(db: Connection): Promise<number> {
  const { rows } = await db.query<{ size: number }>('select pg_database_size(current_database()) as size');
  return rows[0]!.size;
}
