import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmailOtpType } from '@supabase/auth-js';
import { emailLayout } from '../../../../supabase/templates/layout.ts';
import { type Engine, forEachMachine, postgresql, temporaryFolder } from '../../../../tests/database.ts';
import { freePort } from '../../../../tests/free-port.ts';
import { mailsIn } from '../../../../tests/outbox.ts';
import { errorLog } from '../../../../tests/server-logs.ts';
import { distribute, shareOutbox } from '../../../../tests/two-machines/shared.ts';
import { createAuth } from '../../auth/index.ts';
import { type OwnConfig, readConfig } from '../../config/config.ts';
import { readProject } from '../../config/supabase-config.ts';
import type { BackendContext } from '../../context.ts';
import { DiskSpace } from '../../data-dir/disk-space.ts';
import type { Database, Value } from '../../database/database.ts';
import { sealingId } from '../../keys/encrypt.ts';
import { loadKeys } from '../../keys/keys.ts';
import { createMail } from '../../mail/index.ts';
import { listen } from '../listen.ts';
import { identityClient } from './identity-client.ts';
import { asOneBrowser } from './one-browser.ts';

export const PASSWORD = 'tangerine bicycle';
export const GUEST = '00000000-0000-4000-8000-000000000001';
export const newEmail = (): string => `${randomUUID()}@example.com`;

export async function signedUp(server: AuthServer, email = newEmail()) {
  const client = server.client();
  const { data, error } = await client.signUp({ email, password: PASSWORD });
  if (error) throw error;
  return { client, email, id: data.user!.id, user: data.user!, session: data.session! };
}

/** Creates an account with a confirmed address and signs it in, from a new network address. */
export async function signedIn(server: AuthServer, fields: { email?: string; [field: string]: unknown } = {}) {
  const email = fields.email ?? newEmail();
  const account = { email, password: PASSWORD, email_confirm: true, ...fields };
  const { data: created, error } = await server.service().admin.createUser(account);
  if (error) throw error;
  const client = server.client({ 'x-test-address': randomUUID() });
  const { data } = await client.signInWithPassword({ email, password: PASSWORD });
  return { client, email, id: created.user.id, session: data.session! };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A code that differs from this one. */
export const wrong = (code: string) => (code === '111111' ? '222222' : '111111');

/** Makes the sessions of a user too old for a change of the password. */
export const outdateSessions = ({ db }: AuthServer, userId: string) =>
  db.query("update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1", [userId]);

/** Limits that tests do not reach by accident, without a pause between e-mails. */
export const WIDE = `
[auth.rate_limit]
sign_in_sign_ups = 10000
token_refresh = 10000
token_verifications = 10000
email_sent = 10000
[auth.email]
max_frequency = "0s"
`;
/** Like `WIDE`, but new addresses must be confirmed. */
export const CONFIRMING = `${WIDE}enable_confirmations = true\n`;

type Call = RequestInit & { json?: unknown };
type Options = { db?: Database; engine?: Engine; environment?: Record<string, string> };

export type AuthServer = Awaited<ReturnType<typeof openAuthServer>>;

/**
 * Starts the auth service; with `--two-machines` two of them in turn. The client address is read from `x-test-address`.
 * @param settings a config.toml
 * @param options `db`: a shared database; default: a new one on `engine`
 */
export async function openAuthServer(
  settings: string,
  { db: given, engine = postgresql, environment = {} }: Options = {},
) {
  const own = given ? null : await engine.open({ migrated: true, log: errorLog });
  const db = given ?? own!.db;
  const { folder: dataDir, remove } = await temporaryFolder();
  const supabaseDir = join(dataDir, 'supabase');
  await mkdir(supabaseDir);
  await writeFile(join(supabaseDir, 'config.toml'), settings);
  const port = await freePort();
  const places = { PORT: String(port), KEYS_FILE: join(dataDir, 'keys.json'), SUPABASE_DIR: supabaseDir };
  const configIn = (folder: string) => readConfig({ ...places, DATA_DIR: folder, ...environment }) as OwnConfig;
  const project = await readProject(supabaseDir);
  const config = configIn(dataDir);
  const keys = await loadKeys(join(dataDir, 'keys.json'), config.backend);
  const databases = await forEachMachine(db);
  // Resets the limits, as on the embedded engine, where they end with the process.
  const resetLimits = async () => void (db.engine === 'postgres' && (await db.query('delete from internal.limits')));
  await resetLimits();
  const machines = await Promise.all(
    databases.map(async (own, number) => {
      const folder = number ? join(dataDir, `machine-${number}`) : dataDir;
      const disk = new DiskSpace(dataDir, config.diskReserve);
      const services = { project, db: own, disk, keys, log: errorLog, emailLayout };
      const parts: BackendContext = { config: configIn(folder), ...services };
      if (number) await shareOutbox(dataDir, folder);
      const mail = await createMail(parts);
      return { mail, auth: await createAuth(parts, mail) };
    }),
  );
  const auth = distribute(machines.map((machine) => machine.auth));
  const stopListening = await listen(() => auth, port);

  const site = config.siteUrl;
  const url = `${site}/auth/v1`;
  const outbox = join(dataDir, 'outbox');
  /** Waits for all background work of the service, including e-mails. */
  const settled = async () => {
    await auth.idle();
    // An earlier server of this database may have left e-mails that only its key decrypts.
    const ownMails = 'select from internal.mails where failed_at is null and sealed_by = $1';
    while ((await db.query(ownMails, [sealingId(keys)])).rows.length) await new Promise((done) => setTimeout(done, 5));
  };
  const close = async () => {
    await stopListening();
    await auth.close();
    await Promise.all(machines.map((machine) => machine.mail.close()));
    for (const database of databases.slice(1)) await database.close();
    await resetLimits();
    await own?.end();
    await remove();
  };
  /** An official client with its own session storage; `headers` are added to every request. */
  const client = (headers: Record<string, string> = {}) =>
    identityClient(url, keys.publishable, { headers, fetch: asOneBrowser });
  const call = (path: string, { json, ...init }: Call = {}) => {
    const post = json !== undefined && { method: 'POST', body: JSON.stringify(json) };
    const type = json !== undefined && { 'content-type': 'application/json;charset=UTF-8' };
    const headers = { apikey: keys.publishable, ...type, ...init.headers };
    return asOneBrowser(`${url}${path}`, { redirect: 'manual', ...post, ...init, headers });
  };
  /** Like `call`. @returns status and JSON */
  const answer = async (path: string, init?: Call): Promise<[number, unknown]> => {
    const response = await call(path, init);
    return [response.status, await response.json()];
  };
  return {
    site,
    url,
    keys,
    db,
    auth,
    outbox,
    client,
    service: () => identityClient(url, keys.secret, { fetch: asOneBrowser }),
    call,
    answer,
    /** Like `call`. @returns status and error code */
    async refusal(path: string, init?: Call): Promise<[number, string | null]> {
      const [status, body] = (await answer(path, init)) as [number, { error_code?: string; code?: string }];
      return [status, body.error_code ?? body.code ?? null];
    },
    rows: async <Row = Record<string, unknown>>(text: string, ...values: Value[]) =>
      (await db.query<Row>(text, values)).rows,
    /** Signs in with a password. @returns the error code, or null */
    signInError: async (email: string, password = PASSWORD) =>
      (await client().signInWithPassword({ email, password })).error?.code ?? null,
    /** Uses the link of an e-mail in another browser. */
    redeem: (tokenHash: string, type: EmailOtpType) => client().verifyOtp({ token_hash: tokenHash, type }),
    settled,
    async lastEmailTo(email: string) {
      await settled();
      const text = (await mailsIn(outbox)).findLast((message) => message.toLowerCase().includes(`to: ${email}`));
      if (!text) throw new Error(`No e-mail to ${email}`);
      // Invitations have no code, and reauthentication codes no link.
      const link = new URL(/http\S+\/confirm\?\S+/.exec(text)?.[0] ?? site);
      const param = (name: string) => link.searchParams.get(name) ?? '';
      const code = /minutes\): (\d{6})/.exec(text)?.[1] ?? '';
      return { tokenHash: param('token_hash'), type: param('type'), next: param('next'), code, text };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
