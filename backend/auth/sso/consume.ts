import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import { BodyError, readText } from '../../http/limits.ts';
import { record, recordLater } from '../audit.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { isItsBrowser } from '../links/own-browser.ts';
import { issueAuthCode, takeFlow } from '../providers/flow-state.ts';
import { countRequest } from '../rates.ts';
import { isAllowed, oauthError, withCode, withError, withTokens } from '../redirect.ts';
import { isUuid } from '../sessions/bearer.ts';
import { sessionAnswer, startSession } from '../sessions/session.ts';
import { samlOnly } from './enabled.ts';
import { accountOf, personOf } from './person.ts';
import { findProvider, findProviderByEntityId, type SsoProvider } from './provider.ts';
import { type BegunSignIn, beginSignIn, CONSUMER, keepAnswer, lookAtSignIn, takeSignIn } from './request.ts';
import { type Assertion, BadResponse, decodeResponse, envelopeOf, readResponse } from './response.ts';

const MAX_FORM = 512 * 1024;

/** `POST /sso/saml/acs`: every outcome redirects to the site: signed in, or with the error in the URL. */
export async function consumeAssertion(c: Context<Env>) {
  return arriving(c, async () => {
    await countRequest(c, 'samlAcs');
    const form = await readForm(c);
    if (!isUuid(form.relayState)) return c.redirect(await startOver(c, form.relayState, form.response), 303);
    const begun = await lookAtSignIn(c.var.identity.db, form.relayState);
    if (!begun) throw errors.relayStateNotFound();
    // A cross-site POST carries no SameSite=Lax cookie; the following GET to our own URL does.
    if (begun.byBrowser && !isItsBrowser(c, { id: form.relayState, redirectTo: begun.redirectTo }, CONSUMER)) {
      await keepAnswer(c.var.identity.db, form.relayState, form.response);
      return c.redirect(`${c.var.identity.config.siteUrl}${CONSUMER}?flow=${form.relayState}`, 303);
    }
    return c.redirect(await finishSignIn(c, form.relayState, form.response), 302);
  });
}

/** `GET /sso/saml/acs?flow=`: second step, which checks that the sign-in began in this browser. */
export async function finishInBrowser(c: Context<Env>) {
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET, POST');
  return arriving(c, async () => {
    const { db } = c.var.identity;
    const flow = c.req.query('flow') ?? '';
    const begun = isUuid(flow) ? await lookAtSignIn(db, flow) : null;
    if (!begun?.response) throw errors.relayStateNotFound();
    if (!isItsBrowser(c, { id: flow, redirectTo: begun.redirectTo }, CONSUMER)) {
      await takeSignIn(db, flow);
      throw errors.relayStateNotFound();
    }
    return c.redirect(await finishSignIn(c, flow, begun.response), 302);
  });
}

async function arriving(c: Context<Env>, work: () => Promise<Response>): Promise<Response> {
  try {
    samlOnly(c);
    return await work();
  } catch (problem) {
    const { config } = c.var.identity;
    const refusal = refusalFor(c, problem);
    return c.redirect(
      withError(config.siteUrl, {
        error: oauthError(refusal.status),
        error_code: refusal.code,
        error_description: refusal.message,
      }),
      303,
    );
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
  const begun = await takeSignIn(db, relayState);
  if (begun === 'unknown') throw errors.relayStateNotFound();
  if (begun === 'expired') throw errors.relayStateExpired();
  const provider = await findProvider(db, begun.providerId);
  if (!provider) throw errors.noSuchIdp();
  if (provider.disabled) throw errors.ssoProviderDisabled();
  const assertion = await readResponse(identity, provider, begun.requestId, response);
  const person = personOf(assertion, provider);
  const outcome = await db.transaction(async (tx) => {
    if (!(await isFirstUse(tx, provider, assertion))) throw new BadResponse('used before');
    const newcomers = identity.project.auth.enable_signup ? 'welcome' : 'refused';
    const user = await accountOf(tx, provider, person, newcomers);
    return begun.flowId ? handCode(tx, c, begun.flowId, user.id) : openSession(tx, c, user.id);
  });
  return typeof outcome === 'string'
    ? withCode(begun.redirectTo, outcome)
    : withTokens(begun.redirectTo, await sessionAnswer(identity, outcome));
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

async function handCode(tx: Connection, c: Context<Env>, flowId: NonNullable<BegunSignIn['flowId']>, userId: string) {
  const flow = await takeFlow(tx, flowId);
  if (!flow) throw errors.relayStateExpired();
  await record(tx, c, { action: 'sso_code_issued', outcome: 'success', actor: userId });
  return issueAuthCode(tx, c.var.identity.keys, flow, userId);
}

/**
 * IdP-initiated sign-in, such as a tile on the company's start page. Security: the assertion is not used, because an
 * attacker could have injected their own. It only selects the provider, where a new sign-in is started.
 */
async function startOver(c: Context<Env>, relayState: string, response: string): Promise<string> {
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
  return beginSignIn(c, provider, { redirectTo, challenge: null });
}

function refusalFor(c: Context<Env>, problem: unknown): ApiError {
  const { log } = c.var.identity;
  const refusal = asApiError(problem);
  if (refusal.status >= 500) log.error({ err: problem, request: c.env.id }, 'SAML sign-in failed');
  else log.info({ request: c.env.id, reason: (problem as Error).message }, 'SAML sign-in refused');
  recordLater(c, { action: 'login', outcome: 'refused', reason: refusal.code });
  return refusal;
}

function asApiError(problem: unknown): ApiError {
  if (problem instanceof ApiError) return problem;
  if (problem instanceof BadResponse) return errors.invalid('SAML Assertion is not valid');
  if (problem instanceof BodyError) return errors.invalid(problem.message);
  if (problem instanceof DatabaseUnavailable) return errors.busy();
  return new ApiError(500, 'unexpected_failure', 'Unexpected failure, please check server logs for more information');
}
