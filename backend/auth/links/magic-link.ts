import type { Context } from 'hono';
import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, optional, read } from '../body.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { isUnverified } from '../linking/unverified-account.ts';
import { type Challenge, readChallenge } from '../providers/flow-state.ts';
import { countMail } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { createAccount, type NewAccount } from '../users/account.ts';
import { findUserByEmail, type UserRow } from '../users/user.ts';
import { sendEmail } from './auth-emails.ts';
import { emailWithFlow } from './email-flow.ts';

const Body = z.object({
  email: optional(z.string()),
  data: metadata,
  code_challenge: optional(z.string()),
  code_challenge_method: optional(z.string()),
});

export async function magicLink(c: Context<Env>) {
  const { email, data, ...pair } = await read(c, Body);
  if (!email?.trim()) throw new ApiError(422, 'validation_failed', 'Password recovery requires an email');
  return mailSignIn(c, { address: email, createUser: true, data: data ?? {}, challenge: readChallenge(pair) });
}

export interface SignInMail {
  createUser: boolean;
  data: Record<string, unknown>;
}

export async function mailSignIn(
  c: Context<Env>,
  wish: SignInMail & { address: string; challenge: Challenge | null },
): Promise<Response> {
  const { identity } = c.var;
  if (!identity.project.auth.email.enable_signup) throw errors.emailSignInDisabled();
  const email = emailAddress(wish.address);
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, 'magiclink', email);
  // Looked up after the response: neither its content nor its duration reveals whether the account exists.
  identity.later(() =>
    identity.db.transaction(async (tx) => {
      const user = await ownerOf(tx, c, wish, { email, phone: null }, () => findUserByEmail(tx, email));
      if (!user) return;
      // A `signup` e-mail would activate a password set by another person; `magiclink` removes it.
      const purpose = user.email_confirmed_at || isUnverified(user) ? 'magiclink' : 'signup';
      const letter = await emailWithFlow(tx, identity, user, purpose, redirectTo, wish.challenge);
      await sendEmail(tx, identity, letter);
    }),
  );
  return c.json({});
}

export async function ownerOf(
  tx: Transaction,
  c: Context<Env>,
  { createUser, data }: SignInMail,
  name: Pick<NewAccount, 'email' | 'phone'>,
  find: () => Promise<UserRow | null>,
): Promise<UserRow | null> {
  const known = await find();
  const made = !known && createUser && c.var.identity.project.auth.enable_signup ? await make(tx, name, data) : null;
  const user = known ?? made ?? (await find());
  const welcome = user !== null && !user.is_banned;
  await record(tx, c, {
    action: made ? 'user_signedup' : 'user_code_requested',
    outcome: welcome ? 'success' : 'refused',
    ...(made ? { actor: made.id } : { object: user?.id ?? null }),
  });
  return welcome ? user : null;
}

const make = (tx: Transaction, name: Pick<NewAccount, 'email' | 'phone'>, userMetadata: Record<string, unknown>) =>
  createAccount(tx, {
    ...name,
    passwordHash: null,
    userMetadata,
    emailConfirmed: false,
    phoneConfirmed: false,
    identities: 'own',
  });
