import type { Context } from 'hono';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { emailFor, sendEmail } from '../links/auth-emails.ts';
import { checkReachable, messageFor, sendMessage } from '../links/text-messages.ts';
import { countMail, countMessage } from '../rates.ts';
import { redirectOf } from '../redirect.ts';

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
