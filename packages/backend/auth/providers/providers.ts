import type { Logger } from 'pino';
import { ConfigError } from '../../config/config-error.ts';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { errors } from '../errors.ts';
import { isLoopback } from './call-provider.ts';
import { githubProvider } from './github.ts';
import { oidcProvider } from './oidc.ts';
import type { Provider } from './provider.ts';

type Settings = SupabaseProject['auth']['external'][string];

const GOOGLE = 'https://accounts.google.com';
const RESERVED = new Set(['email', 'phone', 'anonymous_users', 'sso', 'saml']);
const NAME = /^[a-z][a-z0-9_-]{0,39}$/;

export function enabledProviders({ auth }: SupabaseProject): Record<string, boolean> {
  const settingsByName = Object.entries(auth.external).map(([name, settings]) => [name, settings.enabled] as const);
  return { google: false, github: false, ...Object.fromEntries(settingsByName) };
}

export type Providers = ReturnType<typeof createProviders>;

/** @param callback our redirect URL. @throws ConfigError when an enabled provider is misconfigured */
export function createProviders(project: SupabaseProject, callback: string, log: Logger) {
  const enabled = new Map<string, Provider>();
  for (const [name, settings] of Object.entries(project.auth.external)) {
    if (settings.enabled) enabled.set(name, configureProvider(name, settings, callback, log));
  }
  const names = enabledProviders(project);
  const find = (name: string): Provider | null => enabled.get(name) ?? null;
  return {
    find,
    /** @throws ApiError 400 when unknown or disabled */
    require(name: string): Provider {
      const provider = find(name);
      if (provider) return provider;
      const reason = Object.hasOwn(names, name) ? 'provider is not enabled' : 'provider could not be found';
      throw errors.invalid(`Unsupported provider: ${reason}`);
    },
    issuing: (issuer: string, clientId: string): Provider | null =>
      [...enabled.values()].find(
        ({ idTokens }) => idTokens?.issuer === issuer.replace(/\/$/, '') && idTokens.clientIds.includes(clientId),
      ) ?? null,
  };
}

function configureProvider(name: string, settings: Settings, callback: string, log: Logger): Provider {
  if (!NAME.test(name) || RESERVED.has(name))
    throw new ConfigError(`config.toml: auth.external.${name} cannot be the name of a provider.`);
  const redirectUri = settings.redirect_uri || callback;
  // As in hosted projects, `client_id` may be a comma-separated list.
  const [clientId, ...others] = settings.client_id.split(',').map((id) => id.trim());
  const server = serverOf(name, settings);
  if (name === 'github')
    return githubProvider({ server, clientId: clientId!, secret: settings.secret, redirectUri }, log);
  const issuer = server ?? (name === 'google' ? new URL(GOOGLE) : null);
  if (!issuer)
    throw new ConfigError(`config.toml: auth.external.${name}.url is missing: it is the issuer's https address.`);
  const clientIds = [clientId!, ...others, ...settings.additional_client_ids].filter(Boolean);
  const { secret, skip_nonce_check: skipNonceCheck } = settings;
  return oidcProvider({ name, issuer, clientIds, secret, redirectUri, skipNonceCheck }, log);
}

function serverOf(name: string, { url }: Settings): URL | null {
  if (!url) return null;
  const server = URL.parse(url);
  const isSecure = server && (server.protocol === 'https:' || isLoopback(server));
  if (!server || !isSecure || server.search || server.hash || server.username)
    throw new ConfigError(`config.toml: auth.external.${name}.url must be an https address (it is "${url}").`);
  return server;
}
