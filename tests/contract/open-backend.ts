import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnConfig, readConfig } from '../../packages/backend/config/config.ts';
import { createBackend } from '../../packages/backend/index.ts';
import { identityClient } from '../../packages/backend/tests/auth/identity-client.ts';
import { cleanRichText } from '../../rich-text.ts';
import { keysIn } from '../server.ts';
import { distribute, shared, shareOutbox } from '../two-machines/shared.ts';

export const SITE = 'http://madhouse.test';
export const PASSWORD = 'tangerine bicycle';

/** Starts all services without a server; with `--two-machines` and a `DATABASE_URL` two of them in turn. */
export async function openBackend(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'madhouse-backend-'));
  const configIn = (folder: string) => {
    const own = { SITE_URL: SITE, DATA_DIR: folder, KEYS_FILE: join(dataDir, 'keys.json') };
    return readConfig({ ...own, SEED: 'none', LOG_LEVEL: 'silent', ...settings }) as OwnConfig;
  };
  const open = (folder: string) => createBackend(configIn(folder), { cleanRichText });
  let backend = await open(dataDir);
  if (shared && settings['DATABASE_URL']) {
    // No other machine starts until the setup key is marked as printed.
    await backend.setupKeyPrinted();
    const second = join(dataDir, 'second');
    await shareOutbox(dataDir, second);
    backend = distribute([backend, await open(second)]);
  }
  const { publishableKey } = backend;
  const { secret } = keysIn(dataDir);
  let addresses = 0;
  /** Each caller has an own address, so that no limit is reached by accident. */
  const newAddress = () => `198.51.100.${++addresses % 250}`;
  const sendFrom =
    (address = newAddress()) =>
    (input: RequestInfo | URL, init?: RequestInit) =>
      backend.fetch(new Request(input, init), { address, id: randomUUID() });
  /** Reads or writes rows with the service key. */
  async function data(method: string, path: string, body?: object) {
    const headers = { apikey: secret, 'content-type': 'application/json', prefer: 'return=representation' };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await sendFrom()(`${SITE}/rest/v1/${path}`, init);
    return (await response.json()) as Record<string, unknown>[];
  }
  const client = (key = publishableKey) => identityClient(`${SITE}/auth/v1`, key, { fetch: sendFrom() });
  async function setRole(id: string, role = 'admin') {
    const [found] = await data('GET', `roles?name=eq.${role}`);
    await data('POST', 'user_roles', { user_id: id, role_id: found!['id'] });
  }
  return {
    config: configIn(dataDir),
    dataDir,
    publishableKey,
    secret,
    sendFrom,
    data,
    client,
    setRole,
    /** Creates a user, who signs in if possible. */
    async account({ role, ...more }: { role?: string; [field: string]: unknown } = {}) {
      const email = `${randomUUID()}@example.com`;
      const made = await client(secret).admin.createUser({ email, password: PASSWORD, email_confirm: true, ...more });
      if (made.error) throw made.error;
      const { id } = made.data.user;
      if (role) await setRole(id, role);
      const { data: signedIn } = await client().signInWithPassword({ email, password: PASSWORD });
      return { id, email, token: signedIn.session?.access_token ?? '' };
    },
    async close() {
      await backend.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
