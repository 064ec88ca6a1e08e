import type { Context } from 'hono';
import type { Transaction } from '../../database/database.ts';
import { type AuditAction, record } from '../audit.ts';
import type { Env } from '../context.ts';
import { type ApiError, errors } from '../errors.ts';
import { isUnverified, removeUnverifiedCredentials, resolveCompetingSignUps } from '../linking/competing-sign-ups.ts';
import { changePhone, confirmEmail, confirmPhone } from '../users/account.ts';
import { findUser, type UserRow } from '../users/user.ts';
import { confirmEmailChange } from './email-change.ts';
import { type Purpose, type RedeemedToken, redeemCode, redeemLink } from './one-time-token.ts';

export type Proof = { kind: 'link'; token: string } | { kind: 'code'; sentTo: string; code: string };

const PURPOSES: Record<string, readonly Purpose[]> = {
  signup: ['signup'],
  invite: ['invite'],
  magiclink: ['magiclink'],
  recovery: ['recovery'],
  email: ['signup', 'invite', 'magiclink', 'recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  // `magiclink` replaces `sms` for an unverified account (`isUnverified`).
  sms: ['sms', 'magiclink'],
  phone_change: ['phone_change'],
};

/** The form for a sign-up code cannot know that the e-mail was a `magiclink` (`confirmationEmail`). */
const CODE_PURPOSES: typeof PURPOSES = { ...PURPOSES, signup: ['signup', 'magiclink'] };

export const HALF_DONE = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

const MESSAGE_TYPES = new Set(['sms', 'phone_change']);

const ACTIONS: Record<Purpose, AuditAction> = {
  signup: 'user_confirmed',
  invite: 'invite_accepted',
  magiclink: 'login',
  recovery: 'user_recovered',
  email_change_current: 'email_changed',
  email_change_new: 'email_changed',
  sms: 'login',
  phone_change: 'phone_changed',
  reauthentication: 'user_reauthenticated',
};

/**
 * Consumes a link or code and confirms its address or number.
 * @param type `type` of the request
 * @returns the user to sign in; `half` when the other mailbox must confirm too; a refusal, which is not thrown so that
 *   the counted guess is committed
 */
export async function redeem(
  tx: Transaction,
  c: Context<Env>,
  type: string,
  proof: Proof,
): Promise<(RedeemedToken & { setPassword: boolean }) | 'half' | ApiError> {
  const redeemed = await consumeToken(tx, c, type, proof);
  const user = redeemed && (await findUser(tx, redeemed.userId));
  if (!user || user.deleted_at || user.is_banned) {
    await record(tx, c, { action: 'verify', outcome: 'refused', actor: user?.id ?? null, reason: proof.kind });
    return proof.kind === 'link' ? errors.linkExpired() : errors.codeExpired();
  }
  const result = await applyToken(tx, c, user, redeemed);
  const isHalf = result === 'half';
  await record(tx, c, {
    action: isHalf ? 'email_change_agreed' : ACTIONS[redeemed.purpose],
    outcome: 'success',
    actor: user.id,
  });
  return isHalf ? 'half' : { ...redeemed, setPassword: result === 'contested' };
}

async function consumeToken(
  tx: Transaction,
  c: Context<Env>,
  type: string,
  proof: Proof,
): Promise<RedeemedToken | null> {
  const accepted = proof.kind === 'code' ? CODE_PURPOSES : PURPOSES;
  const purposes = Object.hasOwn(accepted, type) ? accepted[type]! : [];
  if (proof.kind === 'code') {
    // E-mail and message codes can share a purpose but are not interchangeable.
    if (MESSAGE_TYPES.has(type) === proof.sentTo.includes('@')) return null;
    return redeemCode(tx, c.var.identity.keys, proof.sentTo, proof.code, purposes);
  }
  return MESSAGE_TYPES.has(type) ? null : redeemLink(tx, proof.token, purposes);
}

async function applyToken(
  tx: Transaction,
  c: Context<Env>,
  user: UserRow,
  redeemed: RedeemedToken,
): Promise<'half' | 'done' | 'contested'> {
  switch (redeemed.purpose) {
    case 'email_change_current':
    case 'email_change_new':
      return confirmEmailChange(tx, redeemed);
    case 'phone_change':
      if (!(await changePhone(tx, user.id, redeemed.sentTo))) throw errors.phoneExists();
      await confirmPhone(tx, user.id);
      await tx.query('update auth.users set phone_confirmed_at = now() where id = $1', [user.id]);
      return 'done';
    case 'magiclink':
    case 'recovery':
      if (isUnverified(user)) await removeUnverifiedCredentials(tx, user.id);
  }
  const signedUp = redeemed.purpose === 'signup' || redeemed.purpose === 'sms';
  const contested =
    signedUp && redeemed.applicant && (await resolveCompetingSignUps(tx, user, redeemed.applicant, c.env.address));
  await confirm(tx, user, redeemed.sentTo);
  return contested ? 'contested' : 'done';
}

async function confirm(tx: Transaction, user: UserRow, sentTo: string): Promise<void> {
  if (sentTo.includes('@')) {
    if (!user.email_confirmed_at) await confirmEmail(tx, user.id);
  } else if (!user.phone_confirmed_at) await confirmPhone(tx, user.id);
}
