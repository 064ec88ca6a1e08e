import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as z from 'zod';
import { metadata, optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { isUnverified } from '../linking/unverified-account.ts';
import { readChallenge } from '../providers/flow-state.ts';
import { countMessage } from '../rates.ts';
import { findUserByPhone } from '../users/user.ts';
import { findOrCreateUser, type SignInOptions, sendSignInEmail } from './magic-link.ts';
import { checkChannel, phoneNumber } from './phone.ts';
import { checkReachable, messageFor, postMessage } from './text-messages.ts';

const Body = z.object({
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
  const { email, phone, create_user: createUser, channel, data, ...pair } = await readBody(c, Body);
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
