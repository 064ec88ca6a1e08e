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

const Body = z.object({ type: optional(z.string()), email: optional(z.string()), phone: optional(z.string()) });

/** `POST /resend`: the confirmation mail once more. Answers alike for unknown and confirmed addresses. */
export async function resend(c: Context<Env>) {
  const { identity } = c.var;
  const { type, email: address, phone } = await read(c, Body);
  if (type === 'sms' || type === 'phone_change') throw errors.phoneDisabled(400);
  if (type === 'email_change') throw errors.notOffered('Changing the e-mail address');
  if (type !== 'signup') throw errors.invalid('Missing one of these types: signup, email_change, sms, phone_change');
  if (!address || phone) throw errors.invalid('Type provided requires an email address');
  const email = emailAddress(address);
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, 'signup', email);
  identity.later(async () => {
    const letter = await identity.db.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (!user || user.is_banned || user.email_confirmed_at) return null;
      await record(tx, c, { action: 'user_confirmation_requested', outcome: 'success', object: user.id });
      return letterFor(tx, identity, user, 'signup', redirectTo);
    });
    if (letter) post(identity, letter);
  });
  return c.json({});
}
