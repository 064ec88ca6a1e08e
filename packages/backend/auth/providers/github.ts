import * as client from 'openid-client';
import type { Logger } from 'pino';
import * as z from 'zod';
import { isLoopback, ProviderUnreachable } from './call-provider.ts';
import { type Profile, parseProfile } from './profile.ts';
import { clientOptions, createProvider, type Provider } from './provider.ts';

type GitHubSettings = { server: URL | null; clientId: string; secret: string; redirectUri: string };

const User = z.object({
  id: z.int().positive(),
  login: z.string(),
  name: z.nullish(z.string()),
  avatar_url: z.nullish(z.string()),
});
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export function githubProvider(settings: GitHubSettings, log: Logger): Provider {
  const site = settings.server?.href.replace(/\/$/, '') ?? 'https://github.com';
  const api = settings.server ? `${site}/api/v3` : 'https://api.github.com';
  const config = configure(settings, site);
  return createProvider(log, {
    name: 'github',
    redirectUri: settings.redirectUri,
    scopes: ['user:email'],
    idTokens: null,
    configuration: async () => config,
    readProfile: (_, tokens) => profileAt(config, api, tokens.access_token),
  });
}

function configure({ server, clientId, secret }: GitHubSettings, site: string): client.Configuration {
  const metadata = {
    // Must equal the `iss` parameter of GitHub's redirects.
    issuer: `${site}/login/oauth`,
    authorization_endpoint: `${site}/login/oauth/authorize`,
    token_endpoint: `${site}/login/oauth/access_token`,
  };
  const clientAuth = secret ? client.ClientSecretPost(secret) : client.None();
  const config = new client.Configuration(metadata, clientId, {}, clientAuth);
  Object.assign(config, clientOptions);
  if (server && isLoopback(server)) client.allowInsecureRequests(config);
  return config;
}

async function profileAt(config: client.Configuration, api: string, token: string): Promise<Profile> {
  const read = async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' });
    const response = await client.fetchProtectedResource(config, token, new URL(api + path), 'GET', null, headers);
    if (response.status >= 500) throw new ProviderUnreachable(`${path} returned ${response.status}`);
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return shape.parse(await response.json());
  };
  const [user, emails] = await Promise.all([read('/user', User), read('/user/emails', Emails)]);
  const { email, verified: emailVerified } = emails.find((address) => address.primary) ?? {};
  const { id, name, login: userName, avatar_url: picture } = user;
  return parseProfile({ issuer: api, id: String(id), email, emailVerified, name, userName, picture });
}
