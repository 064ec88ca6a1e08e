import { type Connection, findRow } from '../database/database.ts';
import { sealingId } from './encrypt.ts';
import type { Sealing } from './keys.ts';

/** Whether the keys match those the database was first used with, or later adopted (`npm run keys -- adopt`). */
export async function keysMatchDatabase(db: Connection, keys: Sealing): Promise<boolean> {
  const ownId = sealingId(keys);
  const text = `insert into storage.installation as known (sealed_by) values ($1)
     on conflict (alone) do update set sealed_by = coalesce(known.sealed_by, excluded.sealed_by) returning sealed_by as by`;
  return (await findRow<{ by: string }>(db, text, [ownId]))!.by === ownId;
}

/** Adopts these keys; values sealed with the previous ones become unreadable. */
export async function adoptKeys(db: Connection, keys: Sealing): Promise<void> {
  const text = `insert into storage.installation (sealed_by) values ($1) on conflict (alone) do update set sealed_by = $1`;
  await db.query(text, [sealingId(keys)]);
}
