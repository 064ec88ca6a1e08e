import * as client from 'openid-client';
import type { Logger } from 'pino';
import { callProvider, isLoopback, ProviderUnreachable, providerFetch, REQUEST_SECONDS } from './call-provider.ts';
import { type IdTokenIssuer, idTokenIssuer } from './id-token.ts';
import { type Profile, parseProfile } from './profile.ts';
import type { Provider } from './provider.ts';

export interface OidcSettings {
  name: string;
  issuer: URL;
  /** Our own client id first, then those of apps whose id tokens are accepted. */
  clientIds: string[];
  secret: string;
  redirectUri: string;
  scopes: string[];
  skipNonceCheck: boolean;
}

const CACHE_MS = 60 * 60 * 1000;

export function oidcProvider(settings: OidcSettings, log: Logger): Provider {
  const { name, redirectUri } = settings;
  const configuration = memoize(() => discover(settings));
  const idTokens: IdTokenIssuer = idTokenIssuer(settings, log, async () => (await configuration()).serverMetadata());
  return {
    name,
    idTokens,
    authorization: ({ scopes, more, verifier, nonce }) =>
      callProvider(log, name, async () =>
        client.buildAuthorizationUrl(await configuration(), {
          ...more,
          redirect_uri: redirectUri,
          scope: [...new Set([...settings.scopes, ...scopes])].join(' '),
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          nonce,
        }),
      ),
    exchange: (parameters, expected) =>
      callProvider(log, name, async () => {
        const config = await configuration();
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${parameters}`), {
          expectedState: expected.state,
          expectedNonce: expected.nonce,
          pkceCodeVerifier: expected.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        const userInfo =
          claims['email'] === undefined && config.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {};
        return {
          provider: name,
          profile: profileFromClaims({ ...userInfo, ...claims }),
          tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? null },
        };
      }),
  };
}

export function profileFromClaims(claims: Record<string, unknown>): Profile {
  return parseProfile({
    issuer: String(claims['iss']),
    id: claims['sub'],
    email: claims['email'],
    emailVerified: claims['email_verified'],
    name: claims['name'],
    userName: claims['preferred_username'],
    picture: claims['picture'],
  });
}

async function discover({ issuer, clientIds, secret }: OidcSettings): Promise<client.Configuration> {
  const execute = [
    // By default the library does not verify signatures of tokens received directly from the issuer.
    client.enableNonRepudiationChecks,
    ...(isLoopback(issuer) ? [client.allowInsecureRequests] : []),
  ];
  return client
    .discovery(issuer, clientIds[0]!, secret ? { client_secret: secret } : {}, clientAuth(secret), {
      execute,
      timeout: REQUEST_SECONDS,
      [client.customFetch]: providerFetch as client.CustomFetch,
    })
    .catch((error: Error) => {
      throw new ProviderUnreachable(`the issuer cannot be discovered: ${error.message}`, { cause: error });
    });
}

// `client_secret_basic` is the OpenID Connect default when the issuer does not announce a method.
function clientAuth(secret: string): client.ClientAuth {
  if (!secret) return client.None();
  const post = client.ClientSecretPost(secret);
  const basic = client.ClientSecretBasic(secret);
  return (server, ...rest) =>
    server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? post(server, ...rest)
      : basic(server, ...rest);
}

// Shared for an hour by all callers; failures are not cached.
function memoize<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let cached: { value: Promise<Value>; until: number } | null = null;
  return () => {
    if (cached && cached.until > Date.now()) return cached.value;
    const entry = { value: load(), until: Date.now() + CACHE_MS };
    cached = entry;
    entry.value.catch(() => {
      if (cached === entry) cached = null;
    });
    return entry.value;
  };
}
