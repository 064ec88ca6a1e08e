import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import type { AuthRequest } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { setFlowCookie } from '../links/flow-cookie.ts';
import { countRequest } from '../rates.ts';
import { redirectOf, withRefusal } from '../redirect.ts';
import { readChallenge, startFlow } from './flow-state.ts';

/** Our own parameters, and those a client must not choose; all others are passed to the provider. */
const RESERVED_PARAMETERS = new Set(
  `provider redirect_to scopes invite_token skip_http_redirect apikey jwt client_id client_secret redirect_uri scope state
   nonce response_type response_mode code_challenge code_challenge_method request request_uri registration
   claims`.split(/\s+/),
);
const MAX_EXTRA = 20;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export async function authorize(c: AuthRequest) {
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET');
  try {
    await countRequest(c, 'provider');
    return c.redirect(await authorizationUrl(c, null), 302);
  } catch (error) {
    const isNavigation = c.req.header('accept')?.includes('text/html');
    if (!(error instanceof ApiError) || !(error.status === 503 || isNavigation)) throw error;
    return c.redirect(withRefusal(redirectOf(c), error), 302);
  }
}

/** Starts a flow. @param linkingUser user to link the identity to; null to sign in. @returns URL of the provider */
export async function authorizationUrl(c: AuthRequest, linkingUser: string | null): Promise<string> {
  const { db, providers } = c.var.identity;
  const provider = providers.require(c.req.query('provider') ?? '');
  const challenge = readChallenge(c.req.query());
  const secrets = { verifier: randomPKCECodeVerifier(), nonce: randomNonce() };
  const address = await provider.authorization({ ...secrets, scopes: scopesOf(c), more: extraParameters(c) });
  const flow = { challenge, provider: provider.name, method: 'oauth', redirectTo: redirectOf(c), linkingUser };
  const state = await startFlow(db, { ...flow, providerVerifier: secrets.verifier, nonce: secrets.nonce });
  address.searchParams.set('state', state);
  setFlowCookie(c, state);
  return address.href;
}

function scopesOf(c: AuthRequest): string[] {
  const scopes = (c.req.query('scopes') ?? '').split(/[\s,]+/).filter(Boolean);
  if (scopes.length > MAX_EXTRA || !scopes.every((scope) => scope.length <= 200 && SCOPE.test(scope)))
    throw errors.invalid('scopes must be a list of words, separated by spaces');
  return scopes;
}

function extraParameters(c: AuthRequest): Record<string, string> {
  const extra = Object.entries(c.req.query()).filter(([name]) => !RESERVED_PARAMETERS.has(name.toLowerCase()));
  return Object.fromEntries(extra.filter(([name]) => /^\w{1,64}$/.test(name)).slice(0, MAX_EXTRA));
}
