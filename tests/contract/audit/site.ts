import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GoTrueClient } from '@supabase/auth-js';
import { FunctionsClient } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { expect } from 'vitest';
import type { LogLine, LogPage } from '../../../app/features/audit/model/audit-log.ts';
import { type OwnConfig, readConfig } from '../../../packages/backend/config/config.ts';
import { createBackend } from '../../../packages/backend/index.ts';
import { identityClient } from '../../../packages/backend/tests/auth/identity-client.ts';
import { asOneBrowser } from '../../../packages/backend/tests/auth/one-browser.ts';
import { listen } from '../../../packages/backend/tests/listen.ts';
import { cleanRichText } from '../../../rich-text.ts';
import { emailLayout } from '../../../supabase/templates/layout.ts';
import { postgresql, type TestDatabase } from '../../database.ts';
import { freePort } from '../../free-port.ts';
import { mailsIn } from '../../outbox.ts';
import { keysIn } from '../../server.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
export const PASSWORD = 'tangerine bicycle';
const SETUP_KEY = 'the-setup-key-of-this-test-and-of-no-other';

// biome-ignore lint/suspicious/noExplicitAny: these tests have no generated schema for the client
type Data = PostgrestClient<any, { PostgrestVersion: '13' }, any>;

/** Sends requests with one set of credentials from its own network address. */
export interface Client {
  name: string;
  address: string;
  token: string;
  auth: GoTrueClient;
  data: Data;
  call(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
  /** Calls a server function. @returns its JSON */
  invoke(name: string, body: object): Promise<{ success: boolean; error: string | null }>;
}

export interface Account {
  id: string;
  email: string;
  /** Signs in from a new network address. */
  client(headers?: object): Promise<Client>;
  /** Reuses the tokens of the first session from a new network address. `auth` is not signed in. */
  again(headers?: object): Promise<Client>;
}

let sites = 0;
export type Site = Awaited<ReturnType<typeof openSite>>;

interface Installation {
  dataDir: string;
  database: TestDatabase;
}

/**
 * Starts a backend with all sign-in methods, which reads the network address from `x-test-address`.
 * @param installation of a site that was closed with `keep`; by default a new one
 */
export async function openSite(settings: string, installation?: Installation) {
  const folder = installation?.dataDir ?? (await mkdtemp(join(tmpdir(), 'madhouse-audit-')));
  const database = installation?.database ?? (await postgresql.open({ migrated: true }));
  const supabaseDir = join(folder, 'supabase');
  await mkdir(folder, { recursive: true });
  for (const part of ['functions', 'migrations', 'templates', 'config.toml'])
    await cp(join(ROOT, 'supabase', part), join(supabaseDir, part), { recursive: true });
  await writeFile(join(supabaseDir, 'madhouse.toml'), settings);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { SITE_URL: url, DATA_DIR: folder, SUPABASE_DIR: supabaseDir, DATABASE_URL: database.url };
  const config = readConfig({ ...own, SEED: 'none', LOG_LEVEL: 'silent', SETUP_KEY }) as OwnConfig;
  const backend = await createBackend(config, { cleanRichText, emailLayout });
  const stopListening = await listen(() => backend, port);
  const publishable = backend.publishableKey;
  const { secret } = keysIn(folder);
  const number = ++sites;
  let addresses = 0;

  function client(
    key: string,
    name: string,
    { token = key, headers: more = {} }: { token?: string; headers?: object } = {},
  ): Client {
    const address = `10.${number}.${++addresses >> 8}.${addresses & 255}`;
    const headers = { apikey: key, Authorization: `Bearer ${token}`, 'x-test-address': address, ...more };
    const call: Client['call'] = (path, { json, ...init } = {}) =>
      asOneBrowser(`${url}${path}`, {
        redirect: 'manual',
        ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
        ...init,
        headers: { ...headers, 'content-type': 'application/json', ...init.headers },
      });
    return {
      name,
      address,
      token,
      call,
      auth: identityClient(`${url}/auth/v1`, key, {
        headers: { 'x-test-address': address },
        fetch: asOneBrowser,
        experimental: { recoveryCodes: true },
      }),
      data: new PostgrestClient(`${url}/rest/v1`, { headers }),
      async invoke(name, body) {
        const { data, error } = await new FunctionsClient(`${url}/functions/v1`, { headers }).invoke(name, { body });
        if (error) throw error;
        return data;
      },
    };
  }

  const guest = (headers: object = {}) => client(publishable, 'A visitor who wasn’t signed in', { headers });
  const service = () => client(secret, 'A tool with the service key');

  async function sessionOf(email: string, headers: object = {}): Promise<Client> {
    const { data, error } = await guest().auth.signInWithPassword({ email, password: PASSWORD });
    if (error) throw error;
    const { access_token, refresh_token } = data.session;
    const own = client(publishable, email, { token: access_token, headers });
    const { error: problem } = await own.auth.setSession({ access_token, refresh_token });
    if (problem) throw problem;
    return own;
  }
  function accountOf(id: string, email: string): Account {
    let first: Promise<Client> | undefined;
    return {
      id,
      email,
      client: (headers) => sessionOf(email, headers),
      async again(headers = {}) {
        first ??= sessionOf(email);
        const { token } = await first;
        return client(publishable, email, { token, headers });
      },
    };
  }

  async function account(more: object = {}): Promise<Account> {
    const email = newEmail();
    const user = { email, password: PASSWORD, email_confirm: true, ...more };
    const { data, error } = await service().auth.admin.createUser(user);
    if (error) throw error;
    return accountOf(data.user.id, email);
  }

  async function mailTo(email: string): Promise<{ tokenHash: string; code: string }> {
    const find = async () =>
      (await mailsIn(join(folder, 'outbox'))).findLast((mail) => mail.toLowerCase().includes(`to: ${email}`));
    await expect.poll(find, { message: `a mail to ${email}` }).toBeDefined();
    const text = (await find())!;
    const link = /http\S+\/confirm\?\S+/.exec(text)?.[0];
    const tokenHash = (link && new URL(link).searchParams.get('token_hash')) || '';
    return { tokenHash, code: /minutes\): (\d{6})/.exec(text)?.[1] ?? '' };
  }

  /** The newest 500 log lines, oldest first, read like the screen does. */
  async function read(reader: Client, filters: object = {}): Promise<LogLine[]> {
    return (await page(reader, filters)).rows.toReversed();
  }
  async function page({ name, token }: Client, filters: object) {
    // Each read uses a new address, because the request limit is per address.
    const { data, error } = await client(publishable, name, { token }).data.rpc('read_log', { take: 500, ...filters });
    if (error) throw error;
    return data as LogPage;
  }
  async function readAll(reader: Client): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    for (let before: LogPage['next'] = null, isFirst = true; before || isFirst; isFirst = false) {
      const { rows, next } = await page(reader, { before });
      lines.push(...rows);
      before = next;
    }
    return lines.toReversed();
  }

  return {
    url,
    dataDir: folder,
    database,
    environment: { DATA_DIR: folder, SUPABASE_DIR: supabaseDir, DATABASE_URL: database.url! },
    guest,
    service,
    withToken: (token: string) => client(publishable, '', { token }),
    withSetupKey: () => guest({ 'x-setup-key': SETUP_KEY }),
    account,
    accountOf,
    mailTo,
    read,
    readAll,
    async close({ keep = false } = {}) {
      await stopListening();
      await backend.close();
      if (keep) return;
      await database.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const newEmail = (): string => `${randomUUID().slice(0, 13)}@example.com`;
