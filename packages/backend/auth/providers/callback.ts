import type { Transaction } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { readText } from '../../http/limits.ts';
import { record } from '../audit.ts';
import type { AuthRequest } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { type LoginDecision, linkIdentity, resolveAccount } from '../linking/resolve-account.ts';
import { emailFor, sendEmail } from '../links/auth-emails.ts';
import { hasFlowCookie } from '../links/flow-cookie.ts';
import { countRequest, mayMail } from '../rates.ts';
import { withCode, withError, withRefusal, withTokens } from '../redirect.ts';
import { logIn, type SignedIn, sessionResponse } from '../sessions/session.ts';
import { consumeFlow, type Flow, issueAuthCode, shownTokens } from './flow-state.ts';
import type { ProviderLogin } from './provider.ts';

export const refusalEvent = (linkingUser: string | null) => ({
  action: linkingUser ? ('identity_linked' as const) : ('login' as const),
  outcome: 'refused' as const,
  actor: linkingUser,
});

export async function resolveLogin(
  tx: Transaction,
  c: AuthRequest,
  login: ProviderLogin,
  linkingUser: string | null,
): Promise<LoginDecision> {
  const { auth } = c.var.identity.project;
  const decision = linkingUser
    ? await linkIdentity(tx, linkingUser, login)
    : await resolveAccount(tx, login, { signUps: auth.enable_signup, confirmations: auth.email.enable_confirmations });
  if (decision.kind === 'refused') {
    await record(tx, c, { ...refusalEvent(linkingUser), actor: decision.actor, reason: decision.error.code });
  } else if (decision.how !== 'login') {
    await record(tx, c, { action: decision.how, actor: decision.user.id, reason: login.provider });
  }
  return decision;
}

export async function sendConfirmation(
  tx: Transaction,
  c: AuthRequest,
  decision: LoginDecision,
  redirectTo: string,
): Promise<void> {
  const { identity } = c.var;
  if (decision.kind !== 'refused' || !decision.unconfirmedUser?.email) return;
  if (await mayMail(identity.rates, 'signup', decision.unconfirmedUser.email, tx))
    await sendEmail(tx, identity, await emailFor(tx, identity, decision.unconfirmedUser, 'signup', redirectTo));
}

const MAX_FORM = 64 * 1024;

export async function callback(c: AuthRequest) {
  // A prefetch must not consume the single-use state.
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET, POST');
  const { config, db } = c.var.identity;
  const parameters = await readParameters(c);
  const flow = await consumeFlowOf(c, parameters);
  if (!flow) {
    await countRequest(c, 'provider');
    await record(db, c, { action: 'login', outcome: 'refused', reason: 'bad_oauth_state' });
    return c.redirect(withRefusal(config.siteUrl, errors.badOauthState()), 303);
  }
  const refusal = parameters.get('error');
  if (refusal !== null) {
    await recordRefusal(c, flow, 'provider');
    return c.redirect(withError(flow.redirectTo, providerError(refusal, parameters.get('error_description'))), 302);
  }
  try {
    const login = await exchangeCode(c, flow, parameters);
    return c.redirect(await finishLogin(c, flow, login), 302);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return c.redirect(withRefusal(flow.redirectTo, error), 302);
  }
}

async function readParameters(c: AuthRequest): Promise<URLSearchParams> {
  return c.req.method === 'POST' ? new URLSearchParams(await readText(c, MAX_FORM)) : new URL(c.req.url).searchParams;
}

async function consumeFlowOf(c: AuthRequest, parameters: URLSearchParams): Promise<Flow | null> {
  const [state, ...others] = parameters.getAll('state');
  if (!state || others.length || !isUuid(state)) return null;
  const flow = await consumeFlow(c.var.identity.db, state);
  return flow?.method === 'oauth' && flow.providerVerifier && hasFlowCookie(c, flow) ? flow : null;
}

async function exchangeCode(c: AuthRequest, flow: Flow, parameters: URLSearchParams): Promise<ProviderLogin> {
  const provider = c.var.identity.providers.require(flow.provider);
  try {
    return await provider.exchange(parameters, {
      state: parameters.get('state')!,
      verifier: flow.providerVerifier!,
      nonce: flow.nonce!,
    });
  } catch (error) {
    await recordRefusal(c, flow, error instanceof ApiError ? error.code : 'unexpected_failure');
    throw error;
  }
}

const recordRefusal = (c: AuthRequest, { linkingUser }: Flow, reason: string) =>
  record(c.var.identity.db, c, { ...refusalEvent(linkingUser ?? null), reason });

// Untrusted input: reduced to an OAuth error code and short plain text.
function providerError(error: string, description: string | null) {
  return {
    error: /^[a-z_]{1,64}$/.test(error) ? error : 'access_denied',
    error_description: (description || 'The provider refused the sign-in').toWellFormed().slice(0, 300),
  };
}

interface Outcome {
  decision: LoginDecision;
  code?: string;
  signedIn?: SignedIn;
}

async function finishLogin(c: AuthRequest, flow: Flow, login: ProviderLogin): Promise<string> {
  const { identity } = c.var;
  // A refusal is returned, not thrown, so that its changes are committed.
  const outcome = await identity.db.transaction((tx) => completeLogin(tx, c, flow, login));
  if (outcome.decision.kind === 'refused') throw outcome.decision.error;
  if (outcome.code) return withCode(flow.redirectTo, outcome.code);
  const session = await sessionResponse(identity, outcome.signedIn!);
  return withTokens(flow.redirectTo, session, shownTokens(login.tokens));
}

async function completeLogin(tx: Transaction, c: AuthRequest, flow: Flow, login: ProviderLogin): Promise<Outcome> {
  const decision = await resolveLogin(tx, c, login, flow.linkingUser ?? null);
  if (decision.kind === 'refused') {
    await sendConfirmation(tx, c, decision, flow.redirectTo);
    return { decision };
  }
  if (flow.challenge)
    return { decision, code: await issueAuthCode(tx, c.var.identity.keys, flow, decision.user.id, login.tokens) };
  return { decision, signedIn: await logIn(tx, c, decision.user.id, 'oauth') };
}
