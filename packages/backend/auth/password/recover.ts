import type { Context } from 'hono';
import * as z from 'zod';
import { record } from '../audit.ts';
import { emailAddress, optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { sendEmail } from '../links/auth-emails.ts';
import { emailWithFlow } from '../links/email-flow.ts';
import { readChallenge } from '../providers/flow-state.ts';
import { countMail } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { findUserByEmail } from '../users/user.ts';

const Body = z.object({
  email: optional(z.string()),
  code_challenge: optional(z.string()),
  code_challenge_method: optional(z.string()),
});

export async function recover(c: Context<Env>) {
  const { identity } = c.var;
  const { email: address, ...pair } = await readBody(c, Body);
  if (!address) throw errors.invalid('Password recovery requires an email');
  const challenge = readChallenge(pair);
  const email = emailAddress(address);
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, 'recovery', email);
  // Looked up after the response: neither its content nor its duration reveals whether the account exists.
  identity.later(() =>
    identity.db.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      const isAllowed = user !== null && !user.is_banned;
      await record(tx, c, {
        action: 'user_recovery_requested',
        outcome: isAllowed ? 'success' : 'refused',
        object: user?.id ?? null,
      });
      if (!isAllowed) return;
      await sendEmail(tx, identity, await emailWithFlow(tx, identity, user, 'recovery', redirectTo, challenge));
    }),
  );
  return c.json({});
}
