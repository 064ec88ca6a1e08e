import type { Context } from 'hono';
import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { isUnverified, removeUnverifiedCredentials } from '../linking/unverified-account.ts';
import { emailFor, sendEmail } from '../links/auth-emails.ts';
import { countMail } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { createAccount } from '../users/account.ts';
import { findUser, findUserByEmail, showUser, type UserRow } from '../users/user.ts';

const Body = z.object({ email: optional(z.string()), data: metadata });

export async function invite(c: Context<Env>) {
  const { identity } = c.var;
  const { email: address, data } = await readBody(c, Body);
  if (!address) throw errors.invalid('An invitation requires an email');
  const email = emailAddress(address);
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, 'invite', email);
  const user = await identity.db.transaction(async (tx) => {
    const invited = await invitee(tx, email, data ?? {});
    const authEmail = await emailFor(tx, identity, invited, 'invite', redirectTo);
    await record(tx, c, { action: 'user_invited', outcome: 'success', object: invited.id });
    await sendEmail(tx, identity, authEmail);
    return (await findUser(tx, invited.id))!;
  });
  return c.json(showUser(user));
}

/** Creates, or reuses, an account with an unconfirmed address. @throws ApiError 422 email_exists */
export async function invitee(tx: Transaction, email: string, data: Record<string, unknown>): Promise<UserRow> {
  const created = await createAccount(tx, {
    email,
    phone: null,
    passwordHash: null,
    userMetadata: data,
    byAdmin: true,
    emailConfirmed: false,
    phoneConfirmed: false,
    identities: 'own',
  });
  const user = created ?? (await findUserByEmail(tx, email));
  if (!user || user.email_confirmed_at || user.is_banned) throw errors.emailExists();
  // Security: accepting confirms the mailbox and must not activate a password set by another person.
  if (isUnverified(user)) await removeUnverifiedCredentials(tx, user.id);
  return user;
}
