import { keysIn, newAddress, type RunningServer } from '../../tests/server.ts';
import type { RequestSpec } from './load.ts';

export const PASSWORD = 'a-long-walk-by-the-sea';

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** A request to the identity service from a new address, so that no rate limit applies. */
export function authRequest(
  { base, dataDir }: RunningServer,
  path: string,
  body?: unknown,
  token?: string,
): RequestSpec {
  const headers = {
    apikey: keysIn(dataDir).publishable,
    'x-forwarded-for': newAddress(),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  return { url: `${base}/auth/v1${path}`, headers, ...(body !== undefined && { body }) };
}

export async function fetchText({ url, headers, body }: RequestSpec): Promise<string> {
  const json = { 'content-type': 'application/json', ...headers };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { headers: json, ...init });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.text();
}

export const signIn = async (server: RunningServer, email: string): Promise<Tokens> =>
  JSON.parse(await fetchText(authRequest(server, '/token?grant_type=password', { email, password: PASSWORD })));

/** Creates an account with a confirmed address, without an e-mail, and signs it in. */
export async function createAccount(server: RunningServer, email: string): Promise<Tokens> {
  const creation = authRequest(server, '/admin/users', { email, password: PASSWORD, email_confirm: true });
  await fetchText({ ...creation, headers: { ...creation.headers, apikey: keysIn(server.dataDir).secret } });
  return signIn(server, email);
}
