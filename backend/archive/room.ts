import { statfs } from 'node:fs/promises';
import type { Connection } from '../database/database.ts';
import { megabytes } from '../disk-space.ts';

/** There would be too little left on the disk. The message is one line for the operator. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/**
 * @param needed bytes that are about to be written into the folder
 * @param keepFree bytes that have to stay free there
 * @throws NoRoom
 */
export async function requireRoom(folder: string, needed: number, keepFree: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free - needed >= keepFree) return;
  throw new NoRoom(
    `This needs about ${megabytes(needed)}; the disk of ${folder} has ${megabytes(free)} free, of which ${megabytes(keepFree)} are reserved. Free some space or use another disk.`,
  );
}

/** Bytes that the tables of a database take. */
export async function databaseSize(db: Connection): Promise<number> {
  const { rows } = await db.query<{ size: number }>('select pg_database_size(current_database()) as size');
  return rows[0]!.size;
}
