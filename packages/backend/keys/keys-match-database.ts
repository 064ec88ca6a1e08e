import type { Connection } from '../database/database.ts';
import { sealingId } from './encrypt.ts';
import type { Sealing } from './keys.ts';

/** Whether the keys match those the database was first used with, or later adopted (`npm run keys -- adopt`). */
export async function keysMatchDatabase(db: Connection, keys: Sealing): Promise<boolean> {
  const ownId = sealingId(keys);
  const { rows } = await db.query<{ by: string }>(
    `insert into storage.installation as known (sealed_by) values ($1)
     on conflict (alone) do update set sealed_by = coalesce(known.sealed_by, excluded.sealed_by) returning sealed_by as by`,
    [ownId],
  );
  return rows[0]!.by === ownId;
}

/** Adopts these keys; values sealed with the previous ones become unreadable. */
export async function adoptKeys(db: Connection, keys: Sealing): Promise<void> {
  await db.query(
    `insert into storage.installation (sealed_by) values ($1) on conflict (alone) do update set sealed_by = $1`,
    [sealingId(keys)],
  );
}
