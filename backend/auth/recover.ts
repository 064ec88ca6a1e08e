import type { Context } from 'hono';
import * as z from 'zod';
import { record } from './audit.ts';
import { emailAddress, optional, read } from './body.ts';
import { errors } from './errors.ts';
import type { Env } from './identity.ts';
import { letterFor, post } from './letters.ts';
import { countMail } from './rates.ts';
import { redirectOf } from './redirect.ts';
import { findUserByEmail } from './user.ts';

const Body = z.object({ email: optional(z.string()) });

/** `POST /recover`: a mail with a link to choose a new password. */
export async function recover(c: Context<Env>) {
  const { identity } = c.var;
  const { email: address } = await read(c, Body);
  if (!address) throw errors.invalid('Password recovery requires an email');
  const email = emailAddress(address);
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, 'recovery', email);
  // Looked up after the answer: neither its words nor its time tell whether there is such an account.
  identity.later(async () => {
    const letter = await identity.db.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (!user || user.is_banned) return null;
      await record(tx, c, { action: 'user_recovery_requested', outcome: 'success', object: user.id });
      return letterFor(tx, identity, user, 'recovery', redirectTo);
    });
    if (letter) post(identity, letter);
  });
  return c.json({});
}
