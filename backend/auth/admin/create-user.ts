import type { Context } from 'hono';
import { createAccount } from '../account.ts';
import { record } from '../audit.ts';
import { emailAddress, read } from '../body.ts';
import { errors } from '../errors.ts';
import type { Env } from '../identity.ts';
import { requireStrong } from '../password-policy.ts';
import { showUser } from '../user.ts';
import { AccountFields, bannedUntil, requireKnownHash, requirePersonsRole } from './account-fields.ts';

/** `POST /admin/users`: makes an account; no mail is sent, and without `email_confirm` it stays unconfirmed. */
export async function adminCreateUser(c: Context<Env>) {
  const { db, passwords, project } = c.var.identity;
  const fields = await read(c, AccountFields);
  requirePersonsRole(fields);
  if (fields.phone) throw errors.phoneDisabled(400);
  if (!fields.email) throw errors.invalid('Cannot create a user without either an email or phone');
  if (fields.password && fields.password_hash)
    throw errors.invalid('Only a password or a password hash should be provided');
  const email = emailAddress(fields.email);
  const ban = fields.ban_duration ? bannedUntil(fields.ban_duration) : null;
  let passwordHash = fields.password_hash ? requireKnownHash(fields.password_hash) : null;
  if (fields.password) {
    requireStrong(fields.password, project.auth.minimum_password_length, email);
    passwordHash = await passwords.hash(fields.password);
  }
  const user = await db.transaction(async (tx) => {
    const made = await createAccount(tx, {
      ...(fields.id ? { id: fields.id } : {}),
      email,
      passwordHash,
      userMetadata: fields.user_metadata ?? {},
      appMetadata: fields.app_metadata ?? {},
      confirmed: fields.email_confirm ?? false,
      bannedUntil: ban,
    });
    if (!made) throw errors.emailExists();
    await record(tx, c, { action: 'user_created', outcome: 'success', object: made.id });
    return made;
  });
  return c.json(showUser(user));
}
