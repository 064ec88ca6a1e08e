import type { Context } from 'hono';
import type { Transaction } from '../../database/database.ts';
import { changeEmail, confirmEmail, mergeMetadata, setPassword } from '../account.ts';
import { record } from '../audit.ts';
import { emailAddress, read } from '../body.ts';
import { errors } from '../errors.ts';
import type { Env } from '../identity.ts';
import { requireStrong } from '../password-policy.ts';
import { findUser, showUser } from '../user.ts';
import { AccountFields, bannedUntil, requireKnownHash, requirePersonsRole } from './account-fields.ts';
import { userOfPath } from './find.ts';

/** `PUT /admin/users/{id}`: applies at once, sends no mail; metadata is merged. */
export async function adminUpdateUser(c: Context<Env>) {
  const { db, passwords, project } = c.var.identity;
  const before = await userOfPath(db, c);
  const fields = await read(c, AccountFields);
  requirePersonsRole(fields);
  if (fields.phone) throw errors.phoneDisabled(400);
  if (fields.password && fields.password_hash)
    throw errors.invalid('Only a password or a password hash should be provided');
  const email = fields.email ? emailAddress(fields.email) : null;
  let passwordHash = fields.password_hash ? requireKnownHash(fields.password_hash) : null;
  if (fields.password) {
    requireStrong(fields.password, project.auth.minimum_password_length, email ?? before.email);
    passwordHash = await passwords.hash(fields.password);
  }
  const ban = fields.ban_duration ? { until: bannedUntil(fields.ban_duration) } : null;
  const user = await db.transaction(async (tx) => {
    const { id } = await userOfPath(tx, c);
    if (email && email !== before.email && !(await changeEmail(tx, id, email))) throw errors.emailExists();
    if (fields.email_confirm) await confirmEmail(tx, id);
    if (passwordHash) await setPassword(tx, id, passwordHash, null);
    if (fields.user_metadata) await mergeMetadata(tx, id, 'raw_user_meta_data', fields.user_metadata);
    if (fields.app_metadata) await mergeMetadata(tx, id, 'raw_app_meta_data', fields.app_metadata);
    if (ban) await setBan(tx, id, ban.until);
    await record(tx, c, { action: 'user_modified', outcome: 'success', object: id });
    return findUser(tx, id);
  });
  if (!user) throw errors.userNotFound();
  return c.json(showUser(user));
}

async function setBan(tx: Transaction, userId: string, until: Date | null): Promise<void> {
  await tx.query('update auth.users set banned_until = $2, updated_at = now() where id = $1', [userId, until]);
  if (until) await tx.query('delete from auth.sessions where user_id = $1', [userId]);
}
