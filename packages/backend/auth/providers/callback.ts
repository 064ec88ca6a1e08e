import type { Transaction } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { readText } from '../../http/limits.ts';
import { record } from '../audit.ts';
import type { AuthRequest } from '../context.ts';
import { logRefusal } from '../error-response.ts';
import { ApiError, errors, transactOrRefuse } from '../errors.ts';
import { linkIdentity, resolveAccount } from '../linking/resolve-account.ts';
import { sendEmail } from '../links/auth-emails.ts';
import { hasFlowCookie } from '../links/flow-cookie.ts';
import { countMail, countRequest, isWithinLimit } from '../rates.ts';
import { withCode, withParameters, withRefusal, withTokens } from '../redirect.ts';
import { logIn, sessionResponse } from '../sessions/session.ts';
import type { UserRow } from '../users/user.ts';
import { consumeFlow, type Flow, issueAuthCode, shownTokens } from './flow-state.ts';
import type { ProviderLogin } from './provider.ts';

export const refusalEvent = (linkingUser: string | null) =>
  ({ action: linkingUser ? 'identity_linked' : 'login', outcome: 'refused', actor: linkingUser }) as const;

/** @returns the account, or why the login is refused; its owner then gets a confirmation e-mail if that is missing */
export async function resolveLogin(
  tx: Transaction,
  c: AuthRequest,
  login: ProviderLogin,
  linkingUser: string | null,
  redirectTo: string,
): Promise<UserRow | ApiError> {
  const { identity } = c.var;
  const decision = linkingUser
    ? await linkIdentity(tx, linkingUser, login)
    : await resolveAccount(tx, login, identity.project.auth);
  if (decision.kind === 'refused') {
    const { actor, error, unconfirmedUser: user } = decision;
    await record(tx, c, { ...refusalEvent(linkingUser), actor, reason: error.code });
    if (user?.email && (await isWithinLimit(countMail(identity.rates, 'signup', user.email, tx))))
      await sendEmail(tx, identity, user, 'signup', { redirectTo });
    return error;
  }
  if (decision.how !== 'login')
    await record(tx, c, { action: decision.how, actor: decision.user.id, reason: login.provider });
  return decision.user;
}

const MAX_FORM = 64 * 1024;

export async function callback(c: AuthRequest) {
  // A prefetch must not consume the single-use state.
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET, POST');
  const { config, db } = c.var.identity;
  const parameters =
    c.req.method === 'POST' ? new URLSearchParams(await readText(c, MAX_FORM)) : new URL(c.req.url).searchParams;
  const flow = await consumeFlowOf(c, parameters);
  if (!flow) {
    await countRequest(c, 'provider');
    await record(db, c, { action: 'login', outcome: 'refused', reason: 'bad_oauth_state' });
    return c.redirect(withRefusal(config.siteUrl, errors.badOauthState()), 303);
  }
  const refusal = parameters.get('error');
  if (refusal !== null) {
    await recordRefusal(c, flow, 'provider');
    const problem = providerError(refusal, parameters.get('error_description'));
    return c.redirect(withParameters(flow.redirectTo, problem), 302);
  }
  const url = await exchangeCode(c, flow, parameters)
    .then((login) => finishLogin(c, flow, login))
    .catch((error: unknown) => withRefusal(flow.redirectTo, logRefusal(error, c)));
  return c.redirect(url, 302);
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
    const expected = { state: parameters.get('state')!, verifier: flow.providerVerifier!, nonce: flow.nonce! };
    return await provider.exchange(parameters, expected);
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

async function finishLogin(c: AuthRequest, flow: Flow, login: ProviderLogin): Promise<string> {
  const { identity } = c.var;
  const outcome = await transactOrRefuse(identity.db, async (tx) => {
    const user = await resolveLogin(tx, c, login, flow.linkingUser ?? null, flow.redirectTo);
    if (user instanceof ApiError) return user;
    if (!flow.challenge) return logIn(tx, c, user.id, 'oauth');
    return issueAuthCode(tx, identity.keys, flow, user.id, login.tokens);
  });
  return typeof outcome === 'string'
    ? withCode(flow.redirectTo, outcome)
    : withTokens(flow.redirectTo, await sessionResponse(identity, outcome), shownTokens(login.tokens));
}
