import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Connection, findRow } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { optional, readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { setFlowCookie } from '../links/flow-cookie.ts';
import { type Challenge, readChallenge, startFlow } from '../providers/flow-state.ts';
import { redirectOf } from '../redirect.ts';
import { insertRow } from '../rows.ts';
import { createSamlClient } from './service-provider.ts';
import { findProvider, findProviderByDomain, type SsoProvider } from './sso-provider.ts';

const MAX_AGE_MINUTES = 5;

export const CONSUMER = '/auth/v1/sso/saml/acs';

/** Valid for five minutes in the requesting browser. @returns the provider’s URL with our signed request */
export async function startSignIn(
  c: AuthRequest,
  provider: SsoProvider,
  { redirectTo, challenge }: { redirectTo: string; challenge: Challenge | null },
): Promise<string> {
  const { identity } = c.var;
  const requestId = `_${randomBytes(20).toString('hex')}`;
  const client = await createSamlClient(identity, provider, requestId);
  const relayState = await identity.db.transaction(async (tx) => {
    const flow = { challenge, provider: 'sso/saml', method: 'sso/saml', redirectTo };
    const flowId = challenge ? await startFlow(tx, flow) : null;
    const row = { sso_provider_id: provider.id, request_id: requestId, redirect_to: redirectTo, flow_state_id: flowId };
    return insertRow(tx, 'saml_relay_states', row);
  });
  setFlowCookie(c, relayState, CONSUMER);
  return client.getAuthorizeUrlAsync(relayState, undefined, {});
}

export type PendingSignIn = { providerId: string; requestId: string; redirectTo: string; flowId: string | null };

/** Consumes the relay state: of concurrent callers only one gets it. @throws ApiError 404, 422 when expired */
export async function consumeSignIn(tx: Connection, relayState: string): Promise<PendingSignIn> {
  const text = `delete from auth.saml_relay_states where id = $1
     returning sso_provider_id as "providerId", request_id as "requestId", redirect_to as "redirectTo",
       flow_state_id as "flowId", created_at > now() - interval '${MAX_AGE_MINUTES} minutes' as fresh`;
  const pending = await findRow<PendingSignIn & { fresh: boolean }>(tx, text, [relayState]);
  if (!pending) throw errors.relayStateNotFound();
  if (!pending.fresh) throw errors.relayStateExpired();
  return pending;
}

/** @returns also whether the browser must be checked (`byBrowser`): a PKCE code is useless to anyone but its client */
export function findSignIn(db: Connection, relayState: string) {
  const text = `select redirect_to as "redirectTo", response, flow_state_id is null as "byBrowser"
     from auth.saml_relay_states where id = $1`;
  return findRow<{ redirectTo: string; response: string | null; byBrowser: boolean }>(db, text, [relayState]);
}

export async function storeResponse(db: Connection, relayState: string, response: string): Promise<void> {
  const text = 'update auth.saml_relay_states set response = $2 where id = $1 and response is null';
  await db.query(text, [relayState, response]);
}

const Body = z.object({
  ...texts('provider_id', 'redirect_to', 'code_challenge', 'code_challenge_method'),
  domain: optional(z.string().max(255)),
  skip_http_redirect: optional(z.boolean()),
});

export async function startSso(c: AuthRequest) {
  const { db } = c.var.identity;
  const body = await readBody(c, Body);
  if (body.provider_id && body.domain)
    throw errors.invalid('Only one of provider_id or domain supported, but not both');
  if (!body.provider_id && !body.domain) throw errors.invalid('A provider_id or domain must be provided');
  if (body.provider_id && !isUuid(body.provider_id)) throw errors.invalid('provider_id must be an UUID');
  const challenge = readChallenge(body);
  const provider = body.provider_id
    ? await findProvider(db, body.provider_id)
    : await findProviderByDomain(db, body.domain!.trim());
  if (!provider) throw errors.noSuchSsoProvider(body.domain ? 'No SSO provider assigned for this domain' : undefined);
  if (provider.disabled) throw errors.ssoProviderDisabled();
  const url = await startSignIn(c, provider, { redirectTo: redirectOf(c, body.redirect_to), challenge });
  return body.skip_http_redirect ? c.json({ url }) : c.redirect(url, 303);
}
