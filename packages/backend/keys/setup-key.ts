import { hash, randomBytes } from 'node:crypto';
import { type Database, hasFunction } from '../database/database.ts';

/** @returns a new key to print once while there is no admin; the next start replaces it unless `setupKeyPrinted` ran */
export async function ensureSetupKey(db: Database, configuredKey: string | null): Promise<string | null> {
  if (!(await hasFunction(db, 'private.set_setup_key(text,boolean)'))) return null;
  const { rows } = await db.query<{ admin: boolean; pending: boolean }>(
    `select private.admin_exists() as admin,
            exists (select from private.setup_keys where used_at is null and expires_at > now() and printed_at is not null) as pending`,
  );
  const { admin, pending } = rows[0]!;
  if (admin) return null;
  if (configuredKey) {
    if (await setKey(db, configuredKey, true)) return null;
    throw new Error('SETUP_KEY was already used, and there is no admin now. Set SETUP_KEY to a new value.');
  }
  if (pending) return null;
  const key = randomBytes(24).toString('base64url');
  await setKey(db, key, false);
  return key;
}

export async function setupKeyPrinted(db: Database, key: string): Promise<void> {
  await db.query(`update private.setup_keys set printed_at = now() where hash = decode($1, 'hex')`, [
    hash('sha256', key),
  ]);
}

async function setKey(db: Database, key: string, isPrinted: boolean): Promise<boolean> {
  const { rows } = await db.query<{ usable: boolean }>('select private.set_setup_key($1, $2) as usable', [
    hash('sha256', key),
    isPrinted,
  ]);
  return rows[0]!.usable;
}
