import { randomInt, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { type AuthServer, CONFIRMING, newEmail, signedIn } from '../auth-server.ts';
import { follow, fragmentOf, startGitHub, startIssuer, toCallback } from './peers.ts';

/** Fixtures of social login tests: two providers, their users, and the sign-in. */

export type Peers = Awaited<ReturnType<typeof startPeers>>;

export async function startPeers() {
  const [google, github] = await Promise.all([startIssuer(), startGitHub()]);
  return { google, github, stop: async () => void (await Promise.all([google.stop(), github.stop()])) };
}

export const provider = (name: string, url: string, more = 'enabled = true'): string => `
[auth.external.${name}]
${more}
client_id = "madhouse"
secret = "a secret"
url = "${url}"
`;

/** A config.toml with both providers and e-mail confirmations. */
export const withProviders = ({ google, github }: Peers, auth = ''): string =>
  `${CONFIRMING}[auth]\n${auth}\n${provider('google', google.url)}${provider('github', github.url)}`;

const profile = { email_verified: true, name: 'Ada Lovelace', picture: 'https://images.example/ada.png' };
export const verified = () => ({ sub: randomUUID() as string, email: newEmail(), ...profile });

export const octocat = (email: string | null = newEmail(), isVerified = true) => ({
  id: randomInt(1, 2 ** 40),
  login: 'octocat',
  name: 'Mona',
  avatar_url: 'https://images.example/mona.png',
  emails: email
    ? [
        { email: `second-${email}`, primary: false, verified: true },
        { email, primary: true, verified: isVerified },
      ]
    : [],
});

type OAuth = Parameters<ReturnType<AuthServer['client']>['signInWithOAuth']>[0];

/** URL to which the official client redirects its browser. */
export async function startUrl(
  server: AuthServer,
  name: string,
  hint: string,
  { client = server.client(), redirectTo = `${server.site}/welcome` } = {},
): Promise<string> {
  const options = { redirectTo, skipBrowserRedirect: true, queryParams: { login_hint: hint } };
  const { data, error } = await client.signInWithOAuth({ provider: name as OAuth['provider'], options });
  if (error) throw error;
  return data.url!;
}

/** Signs in at the provider. @returns our callback URL, not yet opened */
export const callbackUrl = async (server: AuthServer, name: string, hint: string): Promise<URL> =>
  toCallback(server, await startUrl(server, name, hint));

/** Signs in at the provider. @returns the parameters in the final fragment */
export const signInWith = async (server: AuthServer, name: string, hint: string): Promise<Record<string, string>> =>
  fragmentOf(await follow(await callbackUrl(server, name, hint)));

export const userOf = (tokens: Record<string, string>): string => decodeJwt(tokens['access_token']!).sub!;

/** Fixtures of linking tests. The parameter is a function, because peers and server exist only while tests run. */
export const linkingActs = (fixtures: () => { peers: Peers; server: AuthServer }) => ({
  /** Adds a Google user. @returns the login hint that signs them in */
  atGoogle: (email: string | undefined, isVerified = true, sub: string = randomUUID()) =>
    fixtures().peers.google.addAccount({ sub, ...(email ? { email } : {}), email_verified: isVerified, name: 'Ada' }),

  atGitHub: (email: string | null, isVerified = true) => fixtures().peers.github.addAccount(octocat(email, isVerified)),

  confirmed: () => signedIn(fixtures().server, { user_metadata: { nickname: 'Countess' } }),

  /** Links an identity to a signed-in user. @returns our callback URL, not yet opened */
  async linkedAddress(client: ReturnType<AuthServer['client']>, provider: 'google' | 'github', hint: string) {
    const { server } = fixtures();
    const options = { redirectTo: `${server.site}/account`, queryParams: { login_hint: hint } };
    const { data, error } = await client.linkIdentity({ provider, options });
    if (error) throw error;
    return toCallback(server, data!.url!);
  },

  sql: <Row>(text: string, ...values: string[]) => fixtures().server.rows<Row>(text, ...values),
});
