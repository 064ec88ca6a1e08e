import { keysIn, newAddress, type RunningServer } from '../server.ts';

export interface Call extends RequestInit {
  headers?: Record<string, string>;
  /** Sent as a POST request, unless another method is given. */
  json?: unknown;
  /** By default the publishable key. */
  apikey?: string;
  token?: string;
}

export type Client = ReturnType<typeof clientOf>;

/** Requests to a running server, each from a new client address. */
export function clientOf(server: Pick<RunningServer, 'base' | 'dataDir'>) {
  let cachedKeys: ReturnType<typeof keysIn> | undefined;
  // Read late, because a client may be created before its server.
  const keys = () => (cachedKeys ??= keysIn(server.dataDir));
  const send = (path: string, { json, apikey = keys().publishable, token, headers, ...init }: Call = {}) => {
    const authorization = token && { authorization: `Bearer ${token}` };
    const own = { apikey, 'x-forwarded-for': newAddress(), ...authorization, ...headers };
    if (json === undefined) return fetch(server.base + path, { ...init, headers: own });
    const posted = { method: 'POST', body: JSON.stringify(json), ...init };
    return fetch(server.base + path, { ...posted, headers: { 'content-type': 'application/json', ...own } });
  };
  const asService = (path: string, call: Call = {}) =>
    send(path, { apikey: keys().secret, token: keys().secret, ...call });
  const succeed = async <T>(sent: Promise<Response>): Promise<T> => {
    const response = await sent;
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    get publishable() {
      return keys().publishable;
    },
    get secret() {
      return keys().secret;
    },
    send,
    asService,
    /** Creates an account with a confirmed address. */
    createUser: (account: { email: string; password: string }) =>
      succeed<{ id: string }>(asService('/auth/v1/admin/users', { json: { ...account, email_confirm: true } })),
    signIn: (account: { email: string; password: string }) =>
      succeed<{ access_token: string; refresh_token: string }>(
        send('/auth/v1/token?grant_type=password', { json: account }),
      ),
    createBucket: (name: string) =>
      succeed(asService('/storage/v1/bucket', { json: { id: name, name, public: true } })),
    insert: (table: string, rows: object) =>
      succeed<{ id: string; title: string }[]>(
        asService(`/rest/v1/${table}`, { json: rows, headers: { prefer: 'return=representation' } }),
      ),
  };
}
