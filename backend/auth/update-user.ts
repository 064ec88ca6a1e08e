import type { Context } from 'hono';
import * as z from 'zod';
import { mergeMetadata, setPassword } from './account.ts';
import { record } from './audit.ts';
import { emailAddress, metadata, optional, read } from './body.ts';
import { errors } from './errors.ts';
import type { Env } from './identity.ts';
import { requireStrong } from './password-policy.ts';
import { findUser, showUser } from './user.ts';
import { countGuess, forgetGuesses } from './wrong-guesses.ts';

const Body = z.object({
  email: optional(z.string()),
  phone: optional(z.string()),
  password: optional(z.string()),
  current_password: optional(z.string()),
  data: metadata,
  app_metadata: z.optional(z.unknown()),
});

const RECENT_MS = 24 * 60 * 60 * 1000;

/** `PUT /user`: new password, own metadata. What the metadata claims, `email_confirmed` say, proves nothing. */
export async function updateUser(c: Context<Env>) {
  const { db, passwords } = c.var.identity;
  const { user, sessionId } = c.var;
  const change = await read(c, Body);
  if (change.app_metadata !== undefined && change.app_metadata !== null) throw errors.notAdmin();
  if (change.email && emailAddress(change.email) !== user.email) throw errors.notOffered('Changing the e-mail address');
  if (change.phone) throw errors.notOffered('A phone number');

  if (change.password !== null) await allowNewPassword(c, change.password, change.current_password);
  const passwordHash = change.password === null ? null : await passwords.hash(change.password);
  const changed = await db.transaction(async (tx) => {
    if (change.data) await mergeMetadata(tx, user.id, 'raw_user_meta_data', change.data);
    if (passwordHash) {
      await setPassword(tx, user.id, passwordHash, sessionId);
      await record(tx, c, { action: 'password_changed', outcome: 'success', actor: user.id, session: sessionId });
    }
    return findUser(tx, user.id);
  });
  if (!changed) throw errors.userOfTokenGone();
  return c.json(showUser(changed));
}

/** A new password needs a recent sign-in (a recovery link is one) or the old password, so a forgotten open screen is not enough. */
async function allowNewPassword(c: Context<Env>, password: string, current: string | null): Promise<void> {
  const { db, passwords, project } = c.var.identity;
  const { user } = c.var;
  const old = user.encrypted_password;
  requireStrong(password, project.auth.minimum_password_length, user.email);
  if (current !== null && old) {
    const wait = await countGuess(db, user.email ?? user.id);
    if (wait > 0) throw errors.tooManyRequests(wait);
    if (!(await passwords.matches(current, old))) throw errors.wrongCurrentPassword();
    await forgetGuesses(db, user.email ?? user.id);
  } else if (Date.now() - c.var.signedInAt > RECENT_MS) throw errors.reauthenticationNeeded();
  if (old && (await passwords.matches(password, old))) throw errors.samePassword();
}
