import type { Context } from 'hono';
import * as z from 'zod';
import type { Transaction } from '../database/database.ts';
import { confirmEmail } from './account.ts';
import { record } from './audit.ts';
import { optional, read } from './body.ts';
import { ApiError, errors } from './errors.ts';
import type { Env } from './identity.ts';
import { type Purpose, type Redeemed, redeemCode, redeemLink } from './one-time-token.ts';
import { type SignedIn, sessionAnswer, startSession } from './session.ts';
import { findUser } from './user.ts';

const Body = z.object({
  type: optional(z.string()),
  token: optional(z.string()),
  token_hash: optional(z.string()),
  email: optional(z.string()),
  phone: optional(z.string()),
  redirect_to: optional(z.string()),
});

/** Which mails each wire type accepts. */
const PURPOSES: Record<string, readonly Purpose[]> = {
  signup: ['signup'],
  recovery: ['recovery'],
  email: ['signup', 'recovery'],
};

type Proof = { kind: 'link'; token: string } | { kind: 'code'; email: string; code: string };

/** `POST /verify`: redeems the link or the code of a mail, once, and signs in whoever could read it. */
export async function verify(c: Context<Env>) {
  const { type, ...given } = await read(c, Body);
  if (!type) throw errors.invalid('Verify requires a verification type');
  const proof = proofOf(given);
  const purposes = Object.hasOwn(PURPOSES, type) ? PURPOSES[type]! : [];
  // A refusal is returned, not thrown, so that the counted guess is committed.
  const outcome = await c.var.identity.db.transaction((tx) => redeem(tx, c, proof, purposes));
  if (outcome instanceof ApiError) throw outcome;
  return c.json(await sessionAnswer(c.var.identity, outcome));
}

type Given = Record<'token' | 'token_hash' | 'email' | 'phone' | 'redirect_to', string | null>;

function proofOf({ token, token_hash: tokenHash, email, phone, redirect_to: redirectTo }: Given): Proof {
  if (Boolean(token) === Boolean(tokenHash)) throw errors.invalid('Verify requires either a token or a token hash');
  if (tokenHash) {
    if (email || phone || redirectTo) throw errors.invalid('Only the token_hash and type should be provided');
    return { kind: 'link', token: tokenHash };
  }
  if (Boolean(email) === Boolean(phone))
    throw errors.invalid('Only an email address or phone number should be provided on verify');
  if (!email) throw errors.phoneDisabled(400);
  return { kind: 'code', email: email.trim().toLowerCase(), code: token! };
}

async function redeem(
  tx: Transaction,
  c: Context<Env>,
  proof: Proof,
  purposes: readonly Purpose[],
): Promise<SignedIn | ApiError> {
  const redeemed =
    proof.kind === 'link'
      ? await redeemLink(tx, proof.token, purposes)
      : await redeemCode(tx, c.var.identity.keys, proof.email, proof.code, purposes);
  const user = redeemed && (await findUser(tx, redeemed.userId));
  if (!user || user.deleted_at || user.is_banned) {
    await record(tx, c, { action: 'verify', outcome: 'refused', actor: user?.id ?? null, reason: proof.kind });
    return proof.kind === 'link' ? errors.linkExpired() : errors.codeExpired();
  }
  if (!user.email_confirmed_at) await acceptMailbox(tx, redeemed);
  const started = await startSession(tx, c, user.id, 'otp');
  const action = redeemed.purpose === 'signup' ? 'user_confirmed' : 'user_recovered';
  await record(tx, c, { action, outcome: 'success', actor: user.id, session: started.session.id });
  return started;
}

async function acceptMailbox(tx: Transaction, { userId, purpose }: Redeemed): Promise<void> {
  await confirmEmail(tx, userId);
  // Recovering an account that was never confirmed: whoever made it, with whatever password, was not proven to be the owner.
  if (purpose === 'recovery') await tx.query('update auth.users set encrypted_password = null where id = $1', [userId]);
}
