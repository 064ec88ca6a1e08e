import { hash, randomBytes } from 'node:crypto';
import { type Database, findRow, hasFunction } from '../database/database.ts';

/** @returns a new key to print once while there is no admin; the next start replaces it unless `setupKeyPrinted` ran */
export async function ensureSetupKey(db: Database, configuredKey: string | null): Promise<string | null> {
  if (!(await hasFunction(db, 'private.set_setup_key(text,boolean)'))) return null;
  const text = `select private.admin_exists() as admin,
            exists (select from private.setup_keys where used_at is null and expires_at > now() and printed_at is not null) as pending`;
  const { admin, pending } = (await findRow<{ admin: boolean; pending: boolean }>(db, text))!;
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
  const text = `update private.setup_keys set printed_at = now() where hash = decode($1, 'hex')`;
  await db.query(text, [hash('sha256', key)]);
}

async function setKey(db: Database, key: string, isPrinted: boolean): Promise<boolean> {
  const text = 'select private.set_setup_key($1, $2) as usable';
  return (await findRow<{ usable: boolean }>(db, text, [hash('sha256', key), isPrinted]))!.usable;
}
