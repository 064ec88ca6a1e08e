import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerType, serve } from '@hono/node-server';
import { GoTrueClient } from '@supabase/auth-js';
import { createAuth } from '../../../packages/backend/auth/index.ts';
import { type Config, type OwnBackend, readConfig } from '../../../packages/backend/config/config.ts';
import { readProject } from '../../../packages/backend/config/supabase-config.ts';
import type { BackendContext, Service } from '../../../packages/backend/context.ts';
import { DiskSpace } from '../../../packages/backend/data-dir/disk-space.ts';
import type { Database } from '../../../packages/backend/database/database.ts';
import { sealingId } from '../../../packages/backend/keys/encrypt.ts';
import { type Keys, loadKeys } from '../../../packages/backend/keys/keys.ts';
import { createMail, type Mail } from '../../../packages/backend/mail/index.ts';
import { engines, forEachMachine } from '../../database.ts';
import { freePort } from '../../free-port.ts';
import { errorLog } from '../../server-logs.ts';
import { inTurn, shared, shareOutbox } from '../../two-machines/shared.ts';
import { asOneBrowser } from './one-browser.ts';

const SUPABASE = join(import.meta.dirname, '..', '..', '..', 'supabase');

/** Limits wide enough not to be met by accident, and mails as often as a test likes. */
export const WIDE = `
[auth.rate_limit]
sign_in_sign_ups = 10000
token_refresh = 10000
token_verifications = 10000
email_sent = 10000
[auth.email]
max_frequency = "0s"
`;

/** A migrated database, dropped on close. */
export async function openTestDatabase(
  engine: Database['engine'] = 'pglite',
): Promise<{ db: Database; close: () => Promise<void> }> {
  const { db, end } = await engines.at(engine === 'pglite' ? 0 : -1)!.open({ migrated: true, log: errorLog });
  return { db, close: end };
}

export interface AuthServer {
  /** Origin of the site. */
  site: string;
  /** `{site}/auth/v1`. */
  url: string;
  keys: Keys;
  db: Database;
  mail: Mail;
  auth: Service;
  outbox: string;
  /** An unmodified official client, with its own memory; `headers` join every call. */
  client(headers?: Record<string, string>): GoTrueClient;
  /** The client of a holder of the service key. */
  service(): GoTrueClient;
  /** A bare call with the publishable key. */
  call(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
  /** Waits for everything the service does after its answers, mails too. */
  settled(): Promise<void>;
  /** The link and the code of the newest mail to an address. */
  lastEmailTo(email: string): Promise<{ tokenHash: string; code: string; type: string; next: string; text: string }>;
  close(): Promise<void>;
}

/**
 * The auth service on a socket; with `--two-machines` two of them in turn. The client address is taken from `x-test-address`.
 * @param settings a config.toml
 */
export async function openAuthServer(
  db: Database,
  settings: string,
  environment: Record<string, string> = {},
): Promise<AuthServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'madhouse-auth-'));
  const supabaseDir = join(dataDir, 'supabase');
  await mkdir(supabaseDir);
  await writeFile(join(supabaseDir, 'config.toml'), settings);
  await cp(join(SUPABASE, 'templates'), join(supabaseDir, 'templates'), { recursive: true });
  const port = await freePort();
  const configIn = (folder: string) =>
    readConfig({
      PORT: String(port),
      DATA_DIR: folder,
      KEYS_FILE: join(dataDir, 'keys.json'),
      SUPABASE_DIR: supabaseDir,
      ...environment,
    }) as Config & { backend: OwnBackend };
  const project = await readProject(supabaseDir);
  const config = configIn(dataDir);
  const keys = await loadKeys(join(dataDir, 'keys.json'), config.backend);
  const databases = await forEachMachine(db);
  // As on the embedded engine, where limits end with their process.
  const forgetLimits = async () => void (shared && (await db.query('delete from internal.limits')));
  await forgetLimits();
  const machines = await Promise.all(
    databases.map(async (own, number) => {
      const folder = number ? join(dataDir, `machine-${number}`) : dataDir;
      const disk = new DiskSpace(dataDir, config.diskReserve);
      const parts: BackendContext = { config: configIn(folder), project, db: own, disk, keys, log: errorLog };
      if (number) await shareOutbox(dataDir, folder);
      const mail = await createMail(parts);
      return { mail, auth: await createAuth(parts, mail) };
    }),
  );
  const { mail } = machines[0]!;
  const auth = inTurn(machines.map((machine) => machine.auth));
  const server = await new Promise<ServerType>((listening) => {
    const started = serve(
      {
        fetch: (request) =>
          auth.fetch(request, { address: request.headers.get('x-test-address') ?? '192.0.2.1', id: 'test' }),
        port,
        hostname: '127.0.0.1',
        // A busy client must not reuse a connection that is just being closed.
        serverOptions: { keepAliveTimeout: 600_000 },
      },
      () => listening(started),
    );
  });

  const site = config.siteUrl;
  const url = `${site}/auth/v1`;
  const clientWith = (key: string, headers: Record<string, string>) =>
    new GoTrueClient({
      url,
      storageKey: url,
      headers: { apikey: key, Authorization: `Bearer ${key}`, ...headers },
      fetch: asOneBrowser,
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
    });
  const outbox = join(dataDir, 'outbox');
  const settled = async () => {
    await auth.idle();
    // A closed server of this database may have left e-mails that only its own key decrypts.
    const ours = 'select from internal.mails where failed_at is null and sealed_by = $1';
    while ((await db.query(ours, [sealingId(keys)])).rows.length) await new Promise((done) => setTimeout(done, 5));
  };
  return {
    site,
    url,
    keys,
    db,
    mail,
    auth,
    outbox,
    client: (headers = {}) => clientWith(keys.publishable, headers),
    service: () => clientWith(keys.secret, {}),
    call: (path, { json, ...init } = {}) =>
      asOneBrowser(`${url}${path}`, {
        redirect: 'manual',
        ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
        ...init,
        headers: {
          apikey: keys.publishable,
          ...(json === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
          ...init.headers,
        },
      }),
    settled,
    async lastEmailTo(email) {
      await settled();
      const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
      const emails = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
      const text = emails.findLast((message) => message.toLowerCase().includes(`to: ${email}`));
      if (!text) throw new Error(`No mail to ${email}`);
      // Invitations bring no code, and codes for a signed-in person no link.
      const link = new URL(/http\S+\/confirm\?\S+/.exec(text)?.[0] ?? site);
      const param = (name: string) => link.searchParams.get(name) ?? '';
      const code = /minutes\): (\d{6})/.exec(text)?.[1] ?? '';
      return { tokenHash: param('token_hash'), type: param('type'), next: param('next'), code, text };
    },
    async close() {
      await new Promise((closed) => server.close(closed));
      await auth.close();
      await Promise.all(machines.map((machine) => machine.mail.close()));
      for (const second of databases.slice(1)) await second.close();
      await forgetLimits();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
