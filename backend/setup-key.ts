import { createHash, randomBytes } from 'node:crypto';
import type { Database } from './database/database.ts';

/**
 * While there is no admin, sees to it that one setup key is valid: the operator's, or one made now.
 * @param given SETUP_KEY, or null
 * @returns the key when it was made now, so that it can be printed once; only its hash is kept
 * @throws Error when the operator's key was used up before
 */
export async function ensureSetupKey(db: Database, given: string | null): Promise<string | null> {
  const { rows } = await db.query<{ procedure: boolean }>(
    `select to_regprocedure('private.set_setup_key(text)') is not null as procedure`,
  );
  // Another project's folder may have no such thing as a setup key.
  if (!rows[0]!.procedure) return null;
  const { rows: states } = await db.query<{ admin: boolean; waiting: boolean }>(
    `select private.admin_exists() as admin,
            exists (select from private.setup_keys where used_at is null and expires_at > now()) as waiting`,
  );
  const { admin, waiting } = states[0]!;
  if (admin) return null;
  if (given) {
    if (await setKey(db, given)) return null;
    throw new Error('SETUP_KEY was used up before, and there is no admin now. Set SETUP_KEY to a new value.');
  }
  if (waiting) return null;
  const key = randomBytes(24).toString('base64url');
  await setKey(db, key);
  return key;
}

async function setKey(db: Database, key: string): Promise<boolean> {
  const hash = createHash('sha256').update(key).digest('hex');
  const { rows } = await db.query<{ usable: boolean }>('select private.set_setup_key($1) as usable', [hash]);
  return rows[0]!.usable;
}
