/** Another company's login, as `/authorize?provider=` names it. */
export interface Provider {
  name: string;
  /** For people. */
  label: string;
}

/** What a sign-in form may offer, as the identity service says. */
export interface SignInMethods {
  /** Password, and codes by mail. */
  email: boolean;
  /** Codes by message. */
  phone: boolean;
  providers: Provider[];
  /** A company's own login, found by the domain of a work address. */
  company: boolean;
  /** Anybody may make an account. */
  signUp: boolean;
}

/** Offered while the service does not say: what every installation has. */
export const defaultMethods: SignInMethods = { email: true, phone: false, providers: [], company: false, signUp: true };

/** Whose name is not just the provider's with a capital. */
const LABELS: Record<string, string> = {
  azure: 'Microsoft',
  fly: 'Fly.io',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  twitter: 'X',
  workos: 'WorkOS',
  x: 'X',
};

// Ways that are not a redirect to somebody else.
const NO_PROVIDERS = /^(anonymous_users|email|phone|web3)/;
const FIRST = ['google', 'github'];

/**
 * Reads the answer of `GET /auth/v1/settings`, of our own service or a hosted project's.
 * What it does not say is not offered.
 */
export function readSignInMethods(settings: unknown): SignInMethods {
  const told = isObject(settings) ? settings : {};
  const external = isObject(told['external']) ? told['external'] : {};
  const providers = Object.keys(external)
    .filter((name) => external[name] === true && !NO_PROVIDERS.test(name))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => ({ name, label: labelOf(name) }));
  return {
    email: external['email'] === true,
    phone: external['phone'] === true,
    providers,
    company: told['saml_enabled'] === true,
    signUp: told['disable_signup'] !== true,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const rank = (name: string) => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);

/** What people call a provider. */
export function labelOf(name: string): string {
  const plain = name.replace(/_oidc$/, '').replaceAll('_', ' ');
  return (Object.hasOwn(LABELS, name) && LABELS[name]) || plain.charAt(0).toUpperCase() + plain.slice(1);
}
