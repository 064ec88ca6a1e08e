import type { Context } from 'hono';
import * as z from 'zod';
import { record } from '../audit.ts';
import { emailAddress, optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { emailFor, sendEmail } from '../links/auth-emails.ts';
import { emailWithFlow } from '../links/email-flow.ts';
import { checkReachable, messageFor, sendMessage } from '../links/text-messages.ts';
import { readChallenge } from '../providers/flow-state.ts';
import { countMail, countMessage } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { findUserByEmail } from '../users/user.ts';

export async function reauthenticate(c: Context<Env>) {
  const { user } = c.var;
  if (user.email) return sendEmailCode(c, user.email);
  if (user.phone) return sendMessageCode(c, user.phone);
  throw errors.invalid('Reauthentication requires the user to have an email or a phone number');
}

async function sendEmailCode(c: Context<Env>, email: string) {
  const { identity, user } = c.var;
  if (!user.email_confirmed_at) throw errors.emailNotConfirmed(422);
  await countMail(identity.rates, 'reauthentication', email);
  await identity.db.transaction(async (tx) => {
    await recordRequest(tx, c);
    await sendEmail(tx, identity, await emailFor(tx, identity, user, 'reauthentication', redirectOf(c)));
  });
  return c.json({});
}

async function sendMessageCode(c: Context<Env>, phone: string) {
  const { identity, user } = c.var;
  if (!user.phone_confirmed_at) throw errors.phoneNotConfirmed(422);
  checkReachable(identity, phone);
  await countMessage(identity.rates, 'reauthentication', phone);
  const message = await identity.db.transaction(async (tx) => {
    await recordRequest(tx, c);
    return messageFor(tx, identity, user, 'reauthentication', phone);
  });
  await sendMessage(identity, message);
  return c.json({ message_id: message.id });
}

const recordRequest = (tx: Parameters<typeof record>[0], c: Context<Env>) =>
  record(tx, c, {
    action: 'user_reauthentication_requested',
    outcome: 'success',
    actor: c.var.user.id,
    session: c.var.sessionId,
  });

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
