import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { isUnverified } from '../linking/competing-sign-ups.ts';
import { type Challenge, readChallenge } from '../providers/flow-state.ts';
import { countMail, countMessage } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { createAccount, type NewAccount } from '../users/account.ts';
import { findUserByEmail, findUserByPhone, type UserRow } from '../users/user.ts';
import { sendEmail } from './auth-emails.ts';
import { emailWithFlow } from './email-flow.ts';
import { checkChannel, phoneNumber } from './phone.ts';
import { checkReachable, messageFor, postMessage } from './text-messages.ts';

const LinkBody = z.object({
  email: optional(z.string()),
  data: metadata,
  code_challenge: optional(z.string()),
  code_challenge_method: optional(z.string()),
});

export async function magicLink(c: Context<Env>) {
  const { email, data, ...pair } = await readBody(c, LinkBody);
  if (!email?.trim()) throw new ApiError(422, 'validation_failed', 'Password recovery requires an email');
  return sendSignInEmail(c, { address: email, createUser: true, data: data ?? {}, challenge: readChallenge(pair) });
}

interface SignInOptions {
  createUser: boolean;
  data: Record<string, unknown>;
}

async function sendSignInEmail(
  c: Context<Env>,
  options: SignInOptions & { address: string; challenge: Challenge | null },
): Promise<Response> {
  const { identity } = c.var;
  if (!identity.project.auth.email.enable_signup) throw errors.emailSignInDisabled();
  const email = emailAddress(options.address);
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, 'magiclink', email);
  // Looked up after the response: neither its content nor its duration reveals whether the account exists.
  identity.later(() =>
    identity.db.transaction(async (tx) => {
      const user = await findOrCreateUser(tx, c, options, { email, phone: null }, () => findUserByEmail(tx, email));
      if (!user) return;
      // A `signup` e-mail would activate a password set by another person; `magiclink` removes it.
      const purpose = user.email_confirmed_at || isUnverified(user) ? 'magiclink' : 'signup';
      const authEmail = await emailWithFlow(tx, identity, user, purpose, redirectTo, options.challenge);
      await sendEmail(tx, identity, authEmail);
    }),
  );
  return c.json({});
}

async function findOrCreateUser(
  tx: Transaction,
  c: Context<Env>,
  { createUser, data }: SignInOptions,
  identifier: Pick<NewAccount, 'email' | 'phone'>,
  find: () => Promise<UserRow | null>,
): Promise<UserRow | null> {
  const existing = await find();
  const created =
    !existing && createUser && c.var.identity.project.auth.enable_signup
      ? await createAccount(tx, { ...identifier, userMetadata: data })
      : null;
  const user = existing ?? created ?? (await find());
  const isAllowed = user !== null && !user.is_banned;
  await record(tx, c, {
    action: created ? 'user_signedup' : 'user_code_requested',
    outcome: isAllowed ? 'success' : 'refused',
    ...(created ? { actor: created.id } : { object: user?.id ?? null }),
  });
  return isAllowed ? user : null;
}

const OtpBody = z.object({
  email: optional(z.string()),
  phone: optional(z.string()),
  create_user: optional(z.boolean()),
  channel: optional(z.string()),
  data: metadata,
  code_challenge: optional(z.string()),
  code_challenge_method: optional(z.string()),
});

/**
 * `POST /otp`: sends a code (and by e-mail a link) for sign-in. Known and unknown recipients get the same response,
 * also with `create_user: false`.
 */
export async function otp(c: Context<Env>) {
  const { email, phone, create_user: createUser, channel, data, ...pair } = await readBody(c, OtpBody);
  if (!email && !phone) throw errors.invalid('One of email or phone must be set');
  if (email && phone) throw errors.invalid('Only an email address or phone number should be provided');
  const challenge = readChallenge(pair);
  const options = { createUser: createUser ?? true, data: data ?? {} };
  if (email) return sendSignInEmail(c, { ...options, address: email, challenge });
  checkChannel(channel);
  return sendSignInMessage(c, { ...options, number: phone! });
}

async function sendSignInMessage(c: Context<Env>, options: SignInOptions & { number: string }) {
  const { identity } = c.var;
  if (!identity.project.auth.sms.enable_signup) throw errors.phoneDisabled(422);
  const phone = phoneNumber(options.number);
  checkReachable(identity, phone);
  await countMessage(identity.rates, 'sms', phone);
  const id = randomUUID();
  identity.later(async () => {
    const message = await identity.db.transaction(async (tx) => {
      const user = await findOrCreateUser(tx, c, options, { email: null, phone }, () => findUserByPhone(tx, phone));
      return user && messageFor(tx, identity, user, isUnverified(user) ? 'magiclink' : 'sms', phone, id);
    });
    if (message) postMessage(identity, message);
  });
  return c.json({ message_id: id });
}
