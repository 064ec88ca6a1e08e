export type Provider = { name: string; label: string };

export interface SignInMethods {
  email: boolean;
  phone: boolean;
  providers: Provider[];
  company: boolean;
  signUp: boolean;
}

/** Used while the service gives no response: what every installation supports. */
export const defaultMethods: SignInMethods = { email: true, phone: false, providers: [], company: false, signUp: true };

const LABELS: Record<string, string> = {
  azure: 'Microsoft',
  fly: 'Fly.io',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  twitter: 'X',
  workos: 'WorkOS',
};

const NO_PROVIDERS = /^(anonymous_users|email|phone|web3)/;
const FIRST = ['google', 'github'];

/** Parses `GET /auth/v1/settings` of our own service or a hosted project; what it does not report is not offered. */
export function readSignInMethods(settings: unknown): SignInMethods {
  const answer = isObject(settings) ? settings : {};
  const external = isObject(answer['external']) ? answer['external'] : {};
  const providers = Object.keys(external)
    .filter((name) => external[name] === true && !NO_PROVIDERS.test(name))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => ({ name, label: labelOf(name) }));
  return {
    email: external['email'] === true,
    phone: external['phone'] === true,
    providers,
    company: answer['saml_enabled'] === true,
    signUp: answer['disable_signup'] !== true,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const rank = (name: string) => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);

export function labelOf(name: string): string {
  const plain = name.replace(/_oidc$/, '').replaceAll('_', ' ');
  return (Object.hasOwn(LABELS, plain) && LABELS[plain]) || plain.charAt(0).toUpperCase() + plain.slice(1);
}

export type AccountOffers = { providers: Provider[]; app: boolean; phone: boolean };

/**
 * Parses `GET /auth/v1/settings`. A hosted project does not report linking and factors: its defaults are offered, and a
 * disabled one is refused on use.
 */
export function readOffers(settings: unknown): AccountOffers {
  const answer = (settings ?? {}) as { manual_linking_enabled?: boolean; mfa?: { totp?: boolean; phone?: boolean } };
  return {
    providers: answer.manual_linking_enabled === false ? [] : readSignInMethods(settings).providers,
    app: answer.mfa?.totp !== false,
    phone: answer.mfa?.phone === true,
  };
}

export async function askOffers({ url, key }: { url: string; key: string }): Promise<AccountOffers> {
  const answer = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: key } }).catch(() => null);
  return readOffers(answer?.ok ? await answer.json().catch(() => null) : null);
}

export const loginName = (provider: string): string =>
  provider.startsWith('sso:') ? 'Company sign-in' : labelOf(provider);
