import { clientOf } from '../../tests/operator/client.ts';
import { keysIn, newAddress, type RunningServer } from '../../tests/server.ts';
import type { RequestSpec } from './load.ts';

export const PASSWORD = 'a-long-walk-by-the-sea';

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** A request to the identity service from a new address, so that no rate limit applies. */
export function authRequest(server: RunningServer, path: string, body?: unknown, token?: string): RequestSpec {
  const apikey = keysIn(server.dataDir).publishable;
  const headers = { apikey, 'x-forwarded-for': newAddress(), ...(token && { authorization: `Bearer ${token}` }) };
  return { url: `${server.base}/auth/v1${path}`, headers, ...(body !== undefined && { body }) };
}

/** Creates an account with a confirmed address, without an e-mail, and signs it in. */
export async function createAccount(server: RunningServer, email: string): Promise<Tokens> {
  const { createUser, signIn } = clientOf(server);
  await createUser({ email, password: PASSWORD });
  return signIn({ email, password: PASSWORD });
}
