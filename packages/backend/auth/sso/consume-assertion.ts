import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import { BodyError, readText } from '../../http/limits.ts';
import { record, recordInBackground } from '../audit.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { hasFlowCookie } from '../links/flow-cookie.ts';
import { consumeFlow, issueAuthCode } from '../providers/flow-state.ts';
import { countRequest } from '../rates.ts';
import { isAllowed, withCode, withRefusal, withTokens } from '../redirect.ts';
import { isUuid } from '../sessions/bearer.ts';
import { sessionResponse, startSession } from '../sessions/session.ts';
import { findOrCreateAccount, personOf } from './person.ts';
import { type Assertion, BadResponse, decodeResponse, envelopeOf, readResponse } from './read-response.ts';
import { findProvider, findProviderByEntityId, type SsoProvider } from './sso-provider.ts';
import {
  CONSUMER,
  consumeSignIn,
  findSignIn,
  type PendingSignIn,
  startSignIn,
  storeResponse,
} from './start-sign-in.ts';

const MAX_FORM = 512 * 1024;

/** `POST /sso/saml/acs`: every outcome redirects to the site: signed in, or with the error in the URL. */
export async function consumeAssertion(c: Context<Env>) {
  return redirectErrors(c, async () => {
    await countRequest(c, 'samlAcs');
    const form = await readForm(c);
    if (!isUuid(form.relayState)) return c.redirect(await restartSignIn(c, form.relayState, form.response), 303);
    const pending = await findSignIn(c.var.identity.db, form.relayState);
    if (!pending) throw errors.relayStateNotFound();
    // A cross-site POST carries no SameSite=Lax cookie; the following GET to our own URL does.
    if (pending.byBrowser && !hasFlowCookie(c, { id: form.relayState, redirectTo: pending.redirectTo }, CONSUMER)) {
      await storeResponse(c.var.identity.db, form.relayState, form.response);
      return c.redirect(`${c.var.identity.config.siteUrl}${CONSUMER}?flow=${form.relayState}`, 303);
    }
    return c.redirect(await finishSignIn(c, form.relayState, form.response), 302);
  });
}

/** `GET /sso/saml/acs?flow=`: second step, which checks that the sign-in began in this browser. */
export async function finishInBrowser(c: Context<Env>) {
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET, POST');
  return redirectErrors(c, async () => {
    const { db } = c.var.identity;
    const flow = c.req.query('flow') ?? '';
    const pending = isUuid(flow) ? await findSignIn(db, flow) : null;
    if (!pending?.response) throw errors.relayStateNotFound();
    if (!hasFlowCookie(c, { id: flow, redirectTo: pending.redirectTo }, CONSUMER)) {
      await consumeSignIn(db, flow);
      throw errors.relayStateNotFound();
    }
    return c.redirect(await finishSignIn(c, flow, pending.response), 302);
  });
}

async function redirectErrors(c: Context<Env>, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    return c.redirect(withRefusal(c.var.identity.config.siteUrl, toRefusal(c, error)), 303);
  }
}

async function readForm(c: Context<Env>): Promise<{ response: string; relayState: string }> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? ''))
    throw errors.invalid('A SAML response has to be a form');
  const form = new URLSearchParams(await readText(c, MAX_FORM));
  const response = form.get('SAMLResponse');
  if (!response || form.getAll('SAMLResponse').length > 1 || form.getAll('RelayState').length > 1)
    throw errors.invalid('The form needs one SAMLResponse and at most one RelayState');
  return { response, relayState: form.get('RelayState') ?? '' };
}

async function finishSignIn(c: Context<Env>, relayState: string, response: string): Promise<string> {
  const { identity } = c.var;
  const { db } = identity;
  const pending = await consumeSignIn(db, relayState);
  if (pending === 'unknown') throw errors.relayStateNotFound();
  if (pending === 'expired') throw errors.relayStateExpired();
  const provider = await findProvider(db, pending.providerId);
  if (!provider) throw errors.noSuchIdp();
  if (provider.disabled) throw errors.ssoProviderDisabled();
  const assertion = await readResponse(identity, provider, pending.requestId, response);
  const person = personOf(assertion, provider);
  const outcome = await db.transaction(async (tx) => {
    if (!(await isFirstUse(tx, provider, assertion))) throw new BadResponse('used before');
    const signUps = identity.project.auth.enable_signup ? 'allowed' : 'refused';
    const user = await findOrCreateAccount(tx, provider, person, signUps);
    return pending.flowId ? issueCode(tx, c, pending.flowId, user.id) : openSession(tx, c, user.id);
  });
  return typeof outcome === 'string'
    ? withCode(pending.redirectTo, outcome)
    : withTokens(pending.redirectTo, await sessionResponse(identity, outcome));
}

async function isFirstUse(tx: Connection, provider: SsoProvider, assertion: Assertion): Promise<boolean> {
  const { rows } = await tx.query(
    `insert into auth.saml_assertions (sso_provider_id, assertion_id, expires_at) values ($1, $2, $3)
     on conflict do nothing returning assertion_id`,
    [provider.id, assertion.id, assertion.expiresAt],
  );
  return rows.length > 0;
}

async function openSession(tx: Connection, c: Context<Env>, userId: string) {
  const started = await startSession(tx, c, userId, 'sso/saml');
  await record(tx, c, { action: 'login', outcome: 'success', actor: userId, session: started.session.id });
  return started;
}

async function issueCode(
  tx: Connection,
  c: Context<Env>,
  flowId: NonNullable<PendingSignIn['flowId']>,
  userId: string,
) {
  const flow = await consumeFlow(tx, flowId);
  if (!flow) throw errors.relayStateExpired();
  await record(tx, c, { action: 'sso_code_issued', outcome: 'success', actor: userId });
  return issueAuthCode(tx, c.var.identity.keys, flow, userId);
}

/**
 * IdP-initiated sign-in, such as a tile on the company's start page. Security: the assertion is not used, because an
 * attacker could have injected their own. It only selects the provider, where a new sign-in is started.
 */
async function restartSignIn(c: Context<Env>, relayState: string, response: string): Promise<string> {
  const { config, project, db } = c.var.identity;
  const { issuer, inResponseTo } = await envelopeOf(decodeResponse(response));
  // A response to a request must name it; starting over could loop forever.
  if (inResponseTo) throw errors.relayStateNotFound();
  const provider = issuer ? await findProviderByEntityId(db, issuer) : null;
  if (!provider) throw errors.noSuchIdp();
  if (provider.disabled) throw errors.ssoProviderDisabled();
  const redirectTo = isAllowed(relayState, config.siteUrl, project.auth.additional_redirect_urls)
    ? relayState
    : config.siteUrl;
  return startSignIn(c, provider, { redirectTo, challenge: null });
}

function toRefusal(c: Context<Env>, error: unknown): ApiError {
  const { log } = c.var.identity;
  const refusal = asApiError(error);
  if (refusal.status >= 500) log.error({ err: error, request: c.env.id }, 'SAML sign-in failed');
  else log.info({ request: c.env.id, reason: (error as Error).message }, 'SAML sign-in refused');
  recordInBackground(c, { action: 'login', outcome: 'refused', reason: refusal.code });
  return refusal;
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BadResponse) return errors.invalid('SAML Assertion is not valid');
  if (error instanceof BodyError) return errors.invalid(error.message);
  if (error instanceof DatabaseUnavailable) return errors.busy();
  return new ApiError(500, 'unexpected_failure', 'Unexpected failure, please check server logs for more information');
}
