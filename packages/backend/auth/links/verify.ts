import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { bareType, readText } from '../../http/limits.ts';
import { record } from '../audit.ts';
import { readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { logRefusal } from '../error-response.ts';
import { ApiError, errors, transactOrRefuse } from '../errors.ts';
import { isUnverified, removeUnverifiedCredentials, resolveCompetingSignUps } from '../linking/competing-sign-ups.ts';
import { consumeFlow, issueAuthCode } from '../providers/flow-state.ts';
import { confirmPage, isAllowed, redirectOf, withCode, withParameters, withRefusal, withTokens } from '../redirect.ts';
import { sessionResponse, startSession } from '../sessions/session.ts';
import { changeIdentifier, confirmIdentifier } from '../users/account.ts';
import { findUser, type UserRow } from '../users/user.ts';
import { confirmEmailChange } from './email-change.ts';
import { PURPOSES, type Purpose, type RedeemedToken, redeemCode, redeemLink } from './one-time-token.ts';
import { phoneNumber } from './phone.ts';

const MAX_BODY = 16 * 1024;

// Confirms an e-mail link for clients on another origin: redirects to their page with `?code=` in the PKCE flow, else
// with the session in the fragment.
async function verifyFormPost(c: AuthRequest) {
  const { config, project, db } = c.var.identity;
  const form = new URLSearchParams(await readText(c, MAX_BODY));
  const token = form.get('token') || form.get('token_hash');
  const type = form.get('type');
  if (!token || !type) throw errors.invalid('Verify requires a token and a verification type');
  const requested = form.get('redirect_to');
  const allowed = requested !== null && isAllowed(requested, config.siteUrl, project.auth.additional_redirect_urls);
  const redirectTo = allowed ? requested : c.req.query('redirect_to') ? redirectOf(c) : config.siteUrl;
  // Login CSRF: a form on another site must not sign anyone in, so it only leads to the confirmation button.
  if (!isOwnSite(c)) return c.redirect(confirmPage(config.siteUrl, { tokenHash: token, type, redirectTo }), 303);

  const outcome = await db
    .transaction((tx) => redeemForm(tx, c, token, type, redirectTo))
    .catch((error: unknown) => withRefusal(redirectTo, logRefusal(error, c)));
  const url =
    typeof outcome === 'string'
      ? outcome
      : withTokens(redirectTo, await sessionResponse(c.var.identity, outcome.signedIn), { type: outcome.type });
  return form.get('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 303);
}

const isOwnSite = (c: AuthRequest) => ['same-origin', 'none', undefined].includes(c.req.header('sec-fetch-site'));

async function redeemForm(tx: Transaction, c: AuthRequest, token: string, type: string, redirectTo: string) {
  const redeemed = await redeem(tx, c, type, { kind: 'link', token });
  if (redeemed instanceof ApiError) return withRefusal(redirectTo, redeemed);
  if (redeemed === 'half') return withParameters(redirectTo, { message: HALF_DONE });
  const minutes = Math.ceil(c.var.identity.project.auth.email.otp_expiry / 60);
  const flow = redeemed.flowId ? await consumeFlow(tx, redeemed.flowId, minutes) : null;
  if (flow) return withCode(flow.redirectTo, await issueAuthCode(tx, c.var.identity.keys, flow, redeemed.userId));
  const signedIn = await startSession(tx, c, redeemed.userId, 'otp');
  return { signedIn, type: redeemed.setPassword ? 'recovery' : type };
}

const Body = z.object(texts('type', 'token', 'token_hash', 'email', 'phone', 'redirect_to'));

/** Signs in on any device. PKCE clients that expect `?code=` submit the form. */
export async function verify(c: AuthRequest) {
  if (bareType(c.req.header('content-type')) === 'application/x-www-form-urlencoded') return verifyFormPost(c);
  const { type, ...proofFields } = await readBody(c, Body);
  if (!type) throw errors.invalid('Verify requires a verification type');
  const proof = proofOf(proofFields);
  const outcome = await transactOrRefuse(c.var.identity.db, async (tx) => {
    const redeemed = await redeem(tx, c, type, proof);
    if (redeemed === 'half' || redeemed instanceof ApiError) return redeemed;
    const started = await startSession(tx, c, redeemed.userId, 'otp');
    if (redeemed.flowId) await consumeFlow(tx, redeemed.flowId);
    return { ...started, setPassword: redeemed.setPassword };
  });
  if (outcome === 'half') return c.json({ msg: HALF_DONE, code: '200' });
  return c.json(await sessionResponse(c.var.identity, outcome, outcome.setPassword ? { set_password: true } : {}));
}

function proofOf(fields: Omit<z.output<typeof Body>, 'type'>): Proof {
  const { token, token_hash: tokenHash, email, phone, redirect_to: redirectTo } = fields;
  if (Boolean(token) === Boolean(tokenHash)) throw errors.invalid('Verify requires either a token or a token hash');
  if (tokenHash) {
    if (email || phone || redirectTo) throw errors.invalid('Only the token_hash and type should be provided');
    return { kind: 'link', token: tokenHash };
  }
  if (Boolean(email) === Boolean(phone))
    throw errors.invalid('Only an email address or phone number should be provided on verify');
  return { kind: 'code', sentTo: email ? email.trim().toLowerCase() : phoneNumber(phone!), code: token! };
}

/** `GET /verify?token=&type=`: must not redeem the link, because mail scanners and prefetching browsers open it. */
export function verifyLink(c: AuthRequest) {
  const tokenHash = c.req.query('token') || c.req.query('token_hash');
  const type = c.req.query('type');
  if (!tokenHash || !type) throw errors.invalid('Verify requires a token and a verification type');
  return c.redirect(confirmPage(c.var.identity.config.siteUrl, { tokenHash, type, redirectTo: redirectOf(c) }), 303);
}

type Proof = { kind: 'link'; token: string } | { kind: 'code'; sentTo: string; code: string };

const ACCEPTED: Record<string, readonly Purpose[]> = {
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

/** The form for a sign-up code cannot know that the e-mail was a `magiclink` (`sendConfirmation`). */
const ACCEPTED_FOR_CODES: typeof ACCEPTED = { ...ACCEPTED, signup: ['signup', 'magiclink'] };

const HALF_DONE = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

const MESSAGE_TYPES = new Set(['sms', 'phone_change']);

/** @returns `half` when the other mailbox must confirm too; refusals, so that the counted guess is committed */
async function redeem(tx: Transaction, c: AuthRequest, type: string, proof: Proof) {
  const redeemed = await consumeToken(tx, c, type, proof);
  const user = redeemed && (await findUser(tx, redeemed.userId));
  if (!user || user.deleted_at || user.is_banned) {
    await record(tx, c, { action: 'verify', outcome: 'refused', actor: user?.id ?? null, reason: proof.kind });
    return proof.kind === 'link' ? errors.linkExpired() : errors.codeExpired();
  }
  const result = await applyToken(tx, c, user, redeemed);
  const isHalf = result === 'half';
  await record(tx, c, { action: isHalf ? 'email_change_agreed' : PURPOSES[redeemed.purpose].action, actor: user.id });
  return isHalf ? 'half' : { ...redeemed, setPassword: result === 'contested' };
}

async function consumeToken(tx: Transaction, c: AuthRequest, type: string, proof: Proof) {
  const accepted = proof.kind === 'code' ? ACCEPTED_FOR_CODES : ACCEPTED;
  const purposes = Object.hasOwn(accepted, type) ? accepted[type]! : [];
  if (proof.kind === 'code') {
    // E-mail and message codes can share a purpose but are not interchangeable.
    if (MESSAGE_TYPES.has(type) === proof.sentTo.includes('@')) return null;
    return redeemCode(tx, c, proof.sentTo, proof.code, purposes);
  }
  return MESSAGE_TYPES.has(type) ? null : redeemLink(tx, proof.token, purposes);
}

async function applyToken(tx: Transaction, c: AuthRequest, user: UserRow, redeemed: RedeemedToken) {
  switch (redeemed.purpose) {
    case 'email_change_current':
    case 'email_change_new':
      return confirmEmailChange(tx, redeemed);
    case 'phone_change':
      await changeIdentifier(tx, user.id, 'phone', redeemed.sentTo);
      await confirmIdentifier(tx, user.id, 'phone');
      await tx.query('update auth.users set phone_confirmed_at = now() where id = $1', [user.id]);
      return 'done';
    case 'magiclink':
    case 'recovery':
      if (isUnverified(user)) await removeUnverifiedCredentials(tx, user.id);
  }
  const isNew = !user.email_confirmed_at && !user.phone_confirmed_at;
  const signedUp = isNew && (redeemed.purpose === 'signup' || redeemed.purpose === 'sms');
  const contested =
    (redeemed.purpose === 'magiclink' && isUnverified(user) && user.encrypted_password !== null) ||
    (signedUp && redeemed.applicant && (await resolveCompetingSignUps(tx, user, redeemed.applicant, c.env.address)));
  const column = redeemed.sentTo.includes('@') ? 'email' : 'phone';
  if (!user[`${column}_confirmed_at`]) await confirmIdentifier(tx, user.id, column);
  return contested ? 'contested' : 'done';
}
