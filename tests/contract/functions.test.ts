import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FunctionsClient, type FunctionsHttpError } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { beforeEach, describe, expect, it } from 'vitest';
import { WIDE } from '../../packages/backend/tests/auth/auth-server.ts';
import { postgresql, temporaryFolder } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { openBackend, PASSWORD, SITE } from './open-backend.ts';

const SETUP_KEY = 'the one-time key of this test';
const WRONG_KEY = 'Invalid admin key. Please enter the correct key to create an admin account.';

const database = forAllTests(() => postgresql.open({ migrated: true }));
const project = forAllTests(async () => {
  const { folder, remove } = await temporaryFolder();
  await cp(join(import.meta.dirname, '..', '..', 'supabase'), folder, { recursive: true });
  for (const [name, code] of Object.entries({
    crashing: "export default async () => { throw new Error('secret detail'); };",
    echo: 'export default async (request: Request) => Response.json({ method: request.method, text: await request.text() });',
    open: 'export default async (request: Request) => new Response(await request.arrayBuffer());',
    away: "export default async () => Response.redirect('https://elsewhere.example/');",
    off: "export default async () => Response.json({ hello: 'world' });",
  })) {
    await mkdir(join(folder, 'functions', name));
    await writeFile(join(folder, 'functions', name, 'handler.ts'), code);
  }
  const settings = `${WIDE}\n[functions.open]\nverify_jwt = false\n[functions.off]\nenabled = false\n`;
  await writeFile(join(folder, 'config.toml'), settings);
  await rm(join(folder, 'madhouse.toml'));
  return { folder, close: remove };
});
const server = forAllTests(() => openBackend({ DATABASE_URL: database.url!, SUPABASE_DIR: project.folder }));

// There is no admin, and the key is unused.
beforeEach(async () => {
  const hash = createHash('sha256').update(SETUP_KEY).digest('hex');
  await database.db.script(`begin;
    set local session_replication_role = replica;
    delete from public.user_roles; delete from private.setup_keys; delete from private.attempts;
    commit; select private.set_setup_key('${hash}')`);
});

const send = (input: RequestInfo | URL, init?: RequestInit) => server.sendFrom('192.0.2.1')(input, init);

const credentials = (token = server.publishableKey) => ({
  apikey: server.publishableKey,
  Authorization: `Bearer ${token}`,
});
const invoke = (name: string, body: object, headers: Record<string, string> = {}, token?: string) => {
  const client = new FunctionsClient(`${SITE}/functions/v1`, { headers: credentials(token), customFetch: send });
  return client.invoke(name, { body, headers });
};
const rest = (token?: string) => new PostgrestClient(`${SITE}/rest/v1`, { headers: credentials(token), fetch: send });
const setUp = (email: string, key = SETUP_KEY, password = PASSWORD) =>
  invoke('admin-setup', { email, password }, { 'x-setup-key': key });

const newEmail = () => `${randomUUID()}@example.com`;
const REFUSED = `select from public.audit_log where action = $1 and outcome = 'refused' and at > now() - interval '1 minute'`;

async function auth(path: string, json: object, token = server.publishableKey): Promise<Record<string, never>> {
  const headers = { ...credentials(token), 'content-type': 'application/json' };
  const response = await send(`${SITE}/auth/v1${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
  return (await response.json()) as Record<string, never>;
}
const signIn = (email: string, password = PASSWORD) => auth('/token?grant_type=password', { email, password });
const usersWith = async (email: string) =>
  (await database.db.query('select email_confirmed_at from auth.users where email = $1', [email])).rows;

describe('admin-setup', () => {
  it('creates a confirmed account with the role admin, once (SETUP-18)', async () => {
    const email = newEmail();
    const { data, error } = await setUp(email.toUpperCase());
    expect(error).toBeNull();
    expect(data).toMatchObject({ success: true, error: null, user: { email } });
    const { access_token: token } = await signIn(email);
    expect((await rest(token).rpc('is_admin')).data).toBe(true);

    const second = newEmail();
    expect((await setUp(second)).data).toEqual({ success: false, error: WRONG_KEY });
    expect(await usersWith(second)).toEqual([]);
  });

  it('succeeds for one of five concurrent requests, and the others create no account (SETUP-18)', async () => {
    const emails = Array.from({ length: 5 }, newEmail);
    const answers = await Promise.all(emails.map((email) => setUp(email)));
    expect(answers.map(({ data }) => data.success).filter(Boolean)).toHaveLength(1);
    expect((await Promise.all(emails.map(usersWith))).flat()).toHaveLength(1);
    const { rows } = await database.db.query('select from public.user_roles');
    expect(rows).toHaveLength(1);
  });

  it('checks the key first, and counts and records guesses (SETUP-08, SETUP-18)', async () => {
    const email = newEmail();
    for (let guess = 0; guess < 5; guess++)
      expect((await setUp(email, `guess ${guess}`)).data).toEqual({ success: false, error: WRONG_KEY });
    const slowed = await setUp(email, 'guess 5');
    expect(slowed.data).toEqual({ success: false, error: 'Too many attempts. Try again later.' });
    expect(await usersWith(email)).toEqual([]);
    const { rows } = await database.db.query(REFUSED, ['setup_key.check']);
    expect(rows.length).toBeGreaterThanOrEqual(5);
  });

  it('reports validation errors to a caller with the right key', async () => {
    const taken = newEmail();
    await auth('/signup', { email: taken, password: PASSWORD });
    for (const [email, password, error] of [
      ['no-address', PASSWORD, 'Please enter a valid email address'],
      [newEmail(), '', 'Please enter a password'],
      [newEmail(), '12345', 'Password should be at least 6 characters.'],
      [taken, PASSWORD, 'A user with this email address has already been registered'],
    ] as const)
      expect((await setUp(email, SETUP_KEY, password)).data).toMatchObject({ success: false, error });
    expect((await setUp(newEmail())).data.success).toBe(true);
  });

  it('only checks the key on request, and creates nothing (M5)', async () => {
    const check = (key: string) => invoke('admin-setup', { check: true }, { 'x-setup-key': key });
    const accounts = async () => (await database.db.query('select from auth.users')).rows.length;
    const before = await accounts();
    expect((await check('a guess')).data).toEqual({ success: false, error: WRONG_KEY });
    for (const _ of [1, 2]) expect((await check(SETUP_KEY)).data).toEqual({ success: true, error: null });
    expect(await accounts()).toBe(before);
    expect((await setUp(newEmail())).data.success).toBe(true);
    expect((await check(SETUP_KEY)).data).toEqual({ success: false, error: WRONG_KEY });
  });

  it('accepts the key only in its header', async () => {
    const body = { email: newEmail(), password: PASSWORD, key: SETUP_KEY, 'x-setup-key': SETUP_KEY };
    expect((await invoke('admin-setup', body)).data).toEqual({ success: false, error: WRONG_KEY });
    const address = `${SITE}/functions/v1/admin-setup?x-setup-key=${encodeURIComponent(SETUP_KEY)}`;
    const answer = await send(address, { method: 'POST', headers: credentials(), body: JSON.stringify(body) });
    expect(await answer.json()).toEqual({ success: false, error: WRONG_KEY });
  });
});

describe('auto-verify', () => {
  const unconfirmed = async () => {
    const email = newEmail();
    await auth('/admin/users', { email, password: PASSWORD }, server.secret);
    return email;
  };

  it('confirms an address for an admin, and reports an address without an account (M1, DATA-16, VERIFY-05, VERIFY-06)', async () => {
    const admin = newEmail();
    await setUp(admin);
    const { access_token: token } = await signIn(admin);
    const email = await unconfirmed();
    const query = `select outcome, reason, object is not null as "hasObject" from public.audit_log where action = 'user.verify' order by id`;
    const lines = async () => (await database.db.query(query)).rows;
    const before = (await lines()).length;
    expect((await invoke('auto-verify', { email }, {}, token)).data).toEqual({ success: true, error: null });
    expect((await signIn(email))['access_token']).toBeDefined();
    const noAccount = { success: false, error: 'No account has this address' };
    expect((await invoke('auto-verify', { email: newEmail() }, {}, token)).data).toEqual(noAccount);
    // A part of an existing address is a different address.
    expect((await invoke('auto-verify', { email: email.slice(1) }, {}, token)).data).toEqual(noAccount);
    const refused = { outcome: 'refused', reason: 'No account has this address', hasObject: false };
    const done = { outcome: 'done', reason: null, hasObject: true };
    expect((await lines()).slice(before)).toEqual([done, refused, refused]);
  });

  it('is refused to guests and ordinary users, logged, and discloses nothing (VERIFY-07, PERM-11)', async () => {
    const person = newEmail();
    const { access_token: token } = await auth('/signup', { email: person, password: PASSWORD });
    const email = await unconfirmed();
    const refusal = { success: false, error: 'Only an admin can verify an account.' };
    for (const as of [undefined, token])
      for (const address of [email, newEmail()])
        expect((await invoke('auto-verify', { email: address }, {}, as)).data).toEqual(refusal);
    expect(await usersWith(email)).toEqual([{ email_confirmed_at: null }]);
    const { rows } = await database.db.query(REFUSED, ['user.verify']);
    expect(rows.length).toBeGreaterThanOrEqual(4);
  });

  it('accepts the setup key only while there is no admin (VERIFY-07, SETUP-18)', async () => {
    const [email, later] = [await unconfirmed(), await unconfirmed()];
    const withKey = (address: string) => invoke('auto-verify', { email: address }, { 'x-setup-key': SETUP_KEY });
    expect((await withKey(email)).data).toEqual({ success: true, error: null });
    await setUp(newEmail());
    expect((await withKey(later)).data).toMatchObject({ success: false });
    expect(await usersWith(later)).toEqual([{ email_confirmed_at: null }]);
  });

  it('stops working for an admin whose role or session has ended', async () => {
    const admin = newEmail();
    await setUp(admin);
    const { access_token: token } = await signIn(admin);
    const REMOVE_ROLES = 'begin; set local session_replication_role = replica; delete from public.user_roles; commit';
    await database.db.script(REMOVE_ROLES);
    expect((await invoke('auto-verify', { email: newEmail() }, {}, token)).data).toMatchObject({ success: false });
    await auth('/logout?scope=global', {}, token).catch(() => undefined);
    const { error } = await invoke('auto-verify', { email: newEmail() }, {}, token);
    expect((error as FunctionsHttpError).context.status).toBe(401);
  });
});

describe('function service', () => {
  const post = (name: string, headers: Record<string, string>, body: BodyInit = '{}') =>
    send(`${SITE}/functions/v1/${name}`, { method: 'POST', headers, body });

  it('requires a key or a valid token, unless the function is open', async () => {
    expect((await post('echo', {})).status).toBe(401);
    expect((await post('echo', { apikey: server.publishableKey })).status).toBe(200);
    expect((await post('echo', { apikey: `${server.publishableKey}x` })).status).toBe(401);
    const bad = await post('echo', { apikey: server.publishableKey, authorization: 'Bearer a.b.c' });
    expect([bad.status, await bad.json()]).toEqual([401, { success: false, error: 'Invalid JWT' }]);
    expect((await post('open', {})).status).toBe(200);
  });

  it('serves only its own functions', async () => {
    for (const name of ['nothing', 'off', '_shared', '..%2Fconfig', 'admin-setup%00', 'constructor']) {
      const response = await post(name, { apikey: server.publishableKey });
      expect([name, response.status, await response.json()]).toMatchObject([name, 404, { success: false }]);
    }
  });

  it('sends redirects', async () => {
    const response = await post('away', { apikey: server.publishableKey });
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://elsewhere.example/']);
  });

  it('does not disclose why a function crashed (ERR-12)', async () => {
    const response = await post('crashing', { apikey: server.publishableKey });
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"success":false,"error":"The function failed."}');
  });

  it('reads uncompressed bodies of at most 16 KB, 32 levels, 500 keys and 1000 entries (section 8)', async () => {
    const headers = { apikey: server.publishableKey };
    const keysOf = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, n])));
    const bodies: [(most: number) => string, number, number][] = [
      [(n) => 'x'.repeat(n), 16 * 1024, 413],
      [(n) => '['.repeat(n) + ']'.repeat(n), 32, 400],
      [keysOf, 500, 400],
      [(n) => JSON.stringify({ a: [Array(n).fill(1)] }), 1000, 400],
    ];
    for (const [body, most, status] of bodies) {
      expect((await post('echo', headers, body(most))).status).toBe(200);
      const refused = await post('echo', headers, body(most + 1));
      expect([refused.status, await refused.json()]).toMatchObject([status, { success: false }]);
    }
    expect((await post('echo', { ...headers, 'content-encoding': 'gzip' })).status).toBe(415);
    const bytes = new Uint8Array([0xff, 0, 0xfe]);
    expect(new Uint8Array(await (await post('open', {}, bytes)).arrayBuffer())).toEqual(bytes);
  });

  it('answers preflights of every origin', async () => {
    const requested = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-setup-key' };
    const headers = { origin: 'https://else.example', ...requested };
    const response = await send(`${SITE}/functions/v1/admin-setup`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-headers')).toContain('x-setup-key');
    const handler = (await import('../../supabase/functions/auto-verify/handler.ts')).default;
    const hosted = await handler(new Request(SITE, { method: 'OPTIONS' }), {} as never);
    expect(hosted.headers.get('access-control-allow-headers')).toContain('x-setup-key');
  });
});
