import { AuthClient } from '@supabase/auth-js';
import { FunctionsClient } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import { cleanAddress, hasAuthParams } from './auth-callback.ts';
import { solveInDialog, withCaptcha } from './captcha.ts';
import { asksForHumans, backendOf, SIGNED_IN, sessionKey } from './stored.ts';

/** The official clients; each call carries the publishable key and the session's token. */
export interface Clients {
  url: string;
  key: string;
  auth: InstanceType<typeof AuthClient>;
  /** @param headers sent with each call, such as the draft secret */
  data: (headers?: Record<string, string>) => PostgrestClient;
  storage: StorageClient;
  functions: FunctionsClient;
}

let created: Clients | undefined;
let arrived: { byMail: boolean } | null = null;

/** The clients, created once per document from its backend configuration. Browser only. */
export function clients(): Clients {
  if (created) return created;
  // Mail links of a hosted project name their type, results of providers do not.
  arrived = hasAuthParams(location) ? { byMail: /[#&]type=/.test(location.hash) } : null;
  const network = fetch.bind(globalThis);
  created = clientsFor(backendOf(), asksForHumans() ? withCaptcha(network, solveInDialog) : network);
  // The identity client read the address in its constructor and verifies the tokens now.
  cleanAddress();
  created.auth.onAuthStateChange(
    (event) => /^(SIGNED_IN|PASSWORD_RECOVERY)$/.test(event) && dispatchEvent(new Event(SIGNED_IN)),
  );
  return created;
}

/** Whether this document's address contained a result for `arrival`. Browser only. */
export function hasArrived(): boolean {
  clients();
  return arrived !== null;
}

/** Error of the address, or of the session in it; null for an ordinary address. Browser only. */
export async function arrival(): Promise<{ error: Error | null; byMail: boolean } | null> {
  const { error } = await clients().auth.initialize();
  return arrived && { ...arrived, error };
}

type Backend = Pick<Clients, 'url' | 'key'>;

export function clientsFor({ url, key }: Backend, send: typeof fetch = fetch.bind(globalThis)): Clients {
  const headers = { apikey: key };
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers,
    storageKey: sessionKey(url),
    fetch: askForEmptyResponse(send),
    experimental: { recoveryCodes: true },
  });
  const sendWithSession = withSession(auth, key, send);
  const dataClient = (more?: Record<string, string>) =>
    new PostgrestClient(`${url}/rest/v1`, { headers: { ...headers, ...more }, fetch: sendWithSession });
  const anonymousReader = dataClient();
  return {
    url,
    key,
    auth,
    data: (more) => (more ? dataClient(more) : anonymousReader),
    storage: new StorageClient(`${url}/storage/v1`, headers, sendWithSession),
    functions: new FunctionsClient(`${url}/functions/v1`, { headers, customFetch: sendWithSession }),
  };
}

/** Asks for status 200 when there are no recovery codes, because browsers log a 404 to the console. */
const askForEmptyResponse =
  (send: typeof fetch): typeof fetch =>
  (input, init) => {
    const readsCodes = init?.method === 'GET' && String(input).endsWith('/factors/recovery-codes');
    return send(readsCodes ? `${String(input)}?none=ok` : input, init);
  };

/** Adds the session's token. It is read for every call, so an expiring token is refreshed first. */
const withSession =
  (auth: Clients['auth'], key: string, send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const { data } = await auth.getSession();
    // An opaque key is not a token; a hosted project's legacy key is one, and some of its services require it.
    const token = data.session?.access_token ?? (key.startsWith('sb_') ? null : key);
    if (token && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    return send(input, { ...init, headers });
  };
