import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import type { Logger } from 'pino';
import { isLoopback, ProviderUnreachable } from './call-provider.ts';
import { idTokenIssuer } from './id-token.ts';
import { type Profile, parseProfile } from './profile.ts';
import { clientOptions, createProvider, type Provider } from './provider.ts';

export interface OidcSettings {
  name: string;
  issuer: URL;
  /** Our own client id first, then those of apps whose id tokens are accepted. */
  clientIds: string[];
  secret: string;
  redirectUri: string;
  skipNonceCheck: boolean;
}

const CACHE_MS = 60 * 60 * 1000;

export function oidcProvider(settings: OidcSettings, log: Logger): Provider {
  const fetchMethod = () => discover(settings);
  const cache = new LRUCache<'discovered', client.Configuration>({ max: 1, ttl: CACHE_MS, fetchMethod });
  const configuration = async () => (await cache.fetch('discovered'))!;
  const idTokens = idTokenIssuer(settings, log, async () => (await configuration()).serverMetadata());
  return createProvider(log, {
    ...settings,
    scopes: ['openid', 'email', 'profile'],
    idTokens,
    configuration,
    async readProfile(config, tokens) {
      const claims = tokens.claims()!;
      const needsUserInfo = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint;
      const userInfo = needsUserInfo ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
      return profileFromClaims({ ...userInfo, ...claims });
    },
  });
}

export function profileFromClaims(claims: Record<string, unknown>): Profile {
  const { iss, sub: id, email, email_verified: emailVerified, name, preferred_username: userName, picture } = claims;
  return parseProfile({ issuer: String(iss), id, email, emailVerified, name, userName, picture });
}

async function discover({ issuer, clientIds, secret }: OidcSettings): Promise<client.Configuration> {
  const metadata: Partial<client.ClientMetadata> = secret ? { client_secret: secret } : {};
  // By default the library does not verify signatures of tokens received directly from the issuer.
  const execute = [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])];
  const options = { execute, ...clientOptions };
  return client.discovery(issuer, clientIds[0]!, metadata, clientAuth(secret), options).catch((error: Error) => {
    const { message } = error.cause instanceof ProviderUnreachable ? error.cause : error;
    throw new ProviderUnreachable(`the issuer cannot be discovered: ${message}`, { cause: error });
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
