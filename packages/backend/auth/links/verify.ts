import type { Context } from 'hono';
import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { readText } from '../../http/limits.ts';
import { optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { consumeFlow, issueAuthCode } from '../providers/flow-state.ts';
import { confirmPage, isAllowed, redirectOf, withCode, withRefusal, withTokens } from '../redirect.ts';
import { type SignedIn, sessionResponse, startSession } from '../sessions/session.ts';
import { phoneNumber } from './phone.ts';
import { HALF_DONE, type Proof, redeem } from './redeem.ts';

const MAX_BODY = 16 * 1024;

const isFormPost = (c: Context<Env>) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '');

type Outcome = { target: string } | { target: string; signedIn: SignedIn; type: string };

/**
 * `POST /verify` as a form (`token`, `type`, `redirect_to`): confirms an e-mail link for clients on another origin.
 * Redirects (303) to their page with `?code=` in the PKCE flow, else with the session in the fragment. With
 * `skip_http_redirect=true` returns `{url}` instead.
 */
async function verifyFormPost(c: Context<Env>) {
  const { config, project, db } = c.var.identity;
  const form = new URLSearchParams(await readText(c, MAX_BODY));
  const token = form.get('token') || form.get('token_hash');
  const type = form.get('type');
  if (!token || !type) throw errors.invalid('Verify requires a token and a verification type');
  const requestedRedirect = form.get('redirect_to');
  const allowed =
    requestedRedirect !== null && isAllowed(requestedRedirect, config.siteUrl, project.auth.additional_redirect_urls);
  const redirectTo = allowed ? requestedRedirect : c.req.query('redirect_to') ? redirectOf(c) : config.siteUrl;
  // Login CSRF: a form on another site must not sign anyone in, so it only leads to the confirmation button.
  if (!isOwnSite(c)) return c.redirect(confirmPage(config.siteUrl, { tokenHash: token, type, redirectTo }), 303);

  const outcome = await db
    .transaction((tx) => redeemForm(tx, c, { token, type, redirectTo }))
    .catch((refusal: unknown) => {
      if (refusal instanceof ApiError) return { target: withRefusal(redirectTo, refusal) };
      throw refusal;
    });
  const url =
    'signedIn' in outcome ? await sessionUrl(c, outcome.target, outcome.signedIn, outcome.type) : outcome.target;
  return form.get('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 303);
}

const isOwnSite = (c: Context<Env>) => ['same-origin', 'none', undefined].includes(c.req.header('sec-fetch-site'));

async function redeemForm(
  tx: Transaction,
  c: Context<Env>,
  { token, type, redirectTo }: { token: string; type: string; redirectTo: string },
): Promise<Outcome> {
  const redeemed = await redeem(tx, c, type, { kind: 'link', token });
  if (redeemed instanceof ApiError) return { target: withRefusal(redirectTo, redeemed) };
  if (redeemed === 'half') return { target: halfDoneUrl(redirectTo) };
  const minutes = Math.ceil(c.var.identity.project.auth.email.otp_expiry / 60);
  const flow = redeemed.flowId ? await consumeFlow(tx, redeemed.flowId, minutes) : null;
  const as = redeemed.setPassword ? 'recovery' : type;
  if (!flow) return { target: redirectTo, signedIn: await startSession(tx, c, redeemed.userId, 'otp'), type: as };
  const code = await issueAuthCode(tx, c.var.identity.keys, flow, redeemed.userId);
  return { target: withCode(flow.redirectTo, code) };
}

const sessionUrl = async (c: Context<Env>, target: string, signedIn: SignedIn, type: string) =>
  withTokens(target, await sessionResponse(c.var.identity, signedIn), { type });

function halfDoneUrl(redirectTo: string): string {
  const url = new URL(redirectTo);
  url.searchParams.set('message', HALF_DONE);
  url.hash = new URLSearchParams({ message: HALF_DONE, sb: '' }).toString();
  return url.href;
}

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
