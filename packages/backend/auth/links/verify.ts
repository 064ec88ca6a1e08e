import type { Context } from 'hono';
import * as z from 'zod';
import { optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { consumeFlow } from '../providers/flow-state.ts';
import { confirmPage, redirectOf } from '../redirect.ts';
import { sessionResponse, startSession } from '../sessions/session.ts';
import { phoneNumber } from './phone.ts';
import { HALF_DONE, type Proof, redeem } from './redeem.ts';
import { isFormPost, verifyFormPost } from './verify-form.ts';

const Body = z.object({
  type: optional(z.string()),
  token: optional(z.string()),
  token_hash: optional(z.string()),
  email: optional(z.string()),
  phone: optional(z.string()),
  redirect_to: optional(z.string()),
});

/**
 * `POST /verify`: redeems a link or code once and signs in, on any device. PKCE clients get their session here too; one
 * that expects `?code=` submits the form (`verifyFormPost`).
 */
export async function verify(c: Context<Env>) {
  if (isFormPost(c)) return verifyFormPost(c);
  const { type, ...proofFields } = await readBody(c, Body);
  if (!type) throw errors.invalid('Verify requires a verification type');
  const proof = proofOf(proofFields);
  const outcome = await c.var.identity.db.transaction(async (tx) => {
    const redeemed = await redeem(tx, c, type, proof);
    if (redeemed === 'half' || redeemed instanceof ApiError) return redeemed;
    const started = await startSession(tx, c, redeemed.userId, 'otp');
    if (redeemed.flowId) await consumeFlow(tx, redeemed.flowId);
    return { ...started, setPassword: redeemed.setPassword };
  });
  if (outcome instanceof ApiError) throw outcome;
  if (outcome === 'half') return c.json({ msg: HALF_DONE, code: '200' });
  return c.json(await sessionResponse(c.var.identity, outcome, outcome.setPassword ? { set_password: true } : {}));
}

type ProofFields = Record<'token' | 'token_hash' | 'email' | 'phone' | 'redirect_to', string | null>;

function proofOf({ token, token_hash: tokenHash, email, phone, redirect_to: redirectTo }: ProofFields): Proof {
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
export function verifyLink(c: Context<Env>) {
  const tokenHash = c.req.query('token') || c.req.query('token_hash');
  const type = c.req.query('type');
  if (!tokenHash || !type) throw errors.invalid('Verify requires a token and a verification type');
  return c.redirect(confirmPage(c.var.identity.config.siteUrl, { tokenHash, type, redirectTo: redirectOf(c) }), 303);
}
