import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as z from 'zod';
import type { Connection, Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { emailAddress, optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { type Challenge, readChallenge } from '../providers/flow-state.ts';
import { countMail, countMessage, mayMail } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { findUser, findUserByEmail, findUserByPhone, type UserRow } from '../users/user.ts';
import { sendEmail } from './auth-emails.ts';
import { pendingChangeEmails } from './email-change.ts';
import { confirmationEmail } from './email-flow.ts';
import { phoneNumber } from './phone.ts';
import { checkReachable, messageFor, postMessage } from './text-messages.ts';

const Body = z.object({
  type: optional(z.string()),
  email: optional(z.string()),
  phone: optional(z.string()),
  code_challenge: optional(z.string()),
  code_challenge_method: optional(z.string()),
});

/** `POST /resend`: same response for unknown, confirmed and unconfirmed recipients. */
export async function resend(c: Context<Env>) {
  const { type, email, phone, ...pair } = await readBody(c, Body);
  if (type === 'signup' || type === 'email_change') {
    if (!email || phone) throw errors.invalid('Type provided requires an email address');
    return resendEmail(c, type, emailAddress(email), readChallenge(pair));
  }
  if (type === 'sms' || type === 'phone_change') {
    if (!phone || email) throw errors.invalid('Type provided requires a phone number');
    return resendMessage(c, type, phoneNumber(phone));
  }
  throw errors.invalid('Missing one of these types: signup, email_change, sms, phone_change');
}

async function resendEmail(
  c: Context<Env>,
  type: 'signup' | 'email_change',
  email: string,
  challenge: Challenge | null,
) {
  const { identity } = c.var;
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, type, email);
  identity.later(async () => {
    await identity.db.transaction(async (tx) => {
      const user =
        type === 'signup' ? await findUserByEmail(tx, email) : await findUserWithPendingChange(tx, 'email', email);
      if (!user || user.is_banned || (type === 'signup' && user.email_confirmed_at)) return;
      await recordRequest(tx, c, user);
      const maySend = async (to: string) => to === email || mayMail(identity.rates, type, to, tx);
      const emails =
        type === 'email_change'
          ? await pendingChangeEmails(tx, identity, user, redirectTo, challenge, maySend)
          : [await confirmationEmail(tx, identity, user, redirectTo, challenge)];
      for (const authEmail of emails) await sendEmail(tx, identity, authEmail);
    });
  });
  return c.json({});
}

async function resendMessage(c: Context<Env>, type: 'sms' | 'phone_change', phone: string) {
  const { identity } = c.var;
  if (!identity.project.auth.sms.enable_signup) throw errors.phoneDisabled(400);
  checkReachable(identity, phone);
  await countMessage(identity.rates, type, phone);
  const id = randomUUID();
  identity.later(async () => {
    const message = await identity.db.transaction(async (tx) => {
      const user =
        type === 'sms' ? await findUserByPhone(tx, phone) : await findUserWithPendingChange(tx, 'phone', phone);
      if (!user || user.is_banned || (type === 'sms' && user.phone_confirmed_at)) return null;
      await recordRequest(tx, c, user);
      return messageFor(tx, identity, user, type, type === 'sms' ? phone : user.phone_change!, id);
    });
    if (message) postMessage(identity, message);
  });
  return c.json({ message_id: id });
}

const recordRequest = (tx: Transaction, c: Context<Env>, user: UserRow) =>
  record(tx, c, { action: 'user_confirmation_requested', outcome: 'success', object: user.id });

async function findUserWithPendingChange(
  tx: Connection,
  what: 'email' | 'phone',
  name: string,
): Promise<UserRow | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from auth.users
     where ${what}_change <> '' and (${what} = $1 or ${what}_change = $1) and not is_sso_user and deleted_at is null
     order by ${what} is not distinct from $1 desc, ${what}_change_sent_at desc limit 1`,
    [name],
  );
  return rows[0] ? findUser(tx, rows[0].id) : null;
}
