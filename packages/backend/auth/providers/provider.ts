import * as client from 'openid-client';
import type { Logger } from 'pino';
import { callProvider, providerFetch, REQUEST_SECONDS } from './call-provider.ts';
import type { ProviderTokens } from './flow-state.ts';
import type { IdTokenIssuer } from './id-token.ts';
import type { Profile } from './profile.ts';

export type ProviderLogin = { provider: string; profile: Profile; tokens: ProviderTokens };

type Secrets = { verifier: string; nonce: string };

interface ProviderOptions {
  name: string;
  redirectUri: string;
  scopes: readonly string[];
  /** Null for a provider of OAuth alone. */
  idTokens: IdTokenIssuer | null;
  configuration(): Promise<client.Configuration>;
  readProfile(config: client.Configuration, tokens: TokenResponse): Promise<Profile>;
}

type TokenResponse = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

export type Provider = ReturnType<typeof createProvider>;

export const createProvider = (
  log: Logger,
  { name, redirectUri, scopes, idTokens, configuration, readProfile }: ProviderOptions,
) => ({
  name,
  idTokens,
  authorization: (request: Secrets & { scopes: string[]; more: Record<string, string> }): Promise<URL> =>
    callProvider(log, name, async () =>
      client.buildAuthorizationUrl(await configuration(), {
        ...request.more,
        redirect_uri: redirectUri,
        scope: [...new Set([...scopes, ...request.scopes])].join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
        ...(idTokens && { nonce: request.nonce }),
      }),
    ),
  exchange: (parameters: URLSearchParams, expected: Secrets & { state: string }): Promise<ProviderLogin> =>
    callProvider(log, name, async () => {
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${parameters}`), {
        expectedState: expected.state,
        pkceCodeVerifier: expected.verifier,
        ...(idTokens && { expectedNonce: expected.nonce, idTokenExpected: true }),
      });
      const profile = await readProfile(config, tokens);
      const { access_token: accessToken, refresh_token: refreshToken = null } = tokens;
      return { provider: name, profile, tokens: { accessToken, refreshToken } };
    }),
});

export const clientOptions = { timeout: REQUEST_SECONDS, [client.customFetch]: providerFetch as client.CustomFetch };
