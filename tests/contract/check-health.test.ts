import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GoTrueClient } from '@supabase/auth-js';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordCheckResult } from '../../packages/backend/archive/with-source.ts';
import { type Config, type OwnBackend, readConfig } from '../../packages/backend/config/config.ts';
import { type Backend, createBackend } from '../../packages/backend/index.ts';
import { cleanRichText } from '../../rich-text.ts';
import { silent } from '../database.ts';
import { archive } from '../operator/archive/command.ts';
import { keysIn } from '../server.ts';

const SITE = 'http://madhouse.test';
const PASSWORD = 'tangerine bicycle';

interface Answer {
  success: boolean;
  admin: boolean;
  now: string;
  checks: { name: string; state: string; code: string; since: string | null; at: string | null }[];
}

describe('health checks', () => {
  let backend: Backend;
  let config: Config & { backend: OwnBackend };
  let dataDir: string;
  let secret: string;
  let postbox: SMTPServer;
  let mails = 0;
  let addresses = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'madhouse-health-'));
    postbox = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onMailFrom: (_from, _session, done) => {
        mails++;
        done();
      },
    });
    await new Promise<void>((listening) => postbox.listen(0, '127.0.0.1', () => listening()));
    config = readConfig({
      SITE_URL: SITE,
      DATA_DIR: dataDir,
      SEED: 'none',
      LOG_LEVEL: 'silent',
      SMTP_URL: `smtp://127.0.0.1:${(postbox.server.address() as AddressInfo).port}`,
    }) as Config & { backend: OwnBackend };
    backend = await createBackend(config, { cleanRichText });
    secret = keysIn(dataDir).secret;
  });
  afterAll(async () => {
    await backend?.close();
    await new Promise<void>((gone) => postbox.close(() => gone()));
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = (input: RequestInfo | URL, init?: RequestInit) =>
    backend.fetch(new Request(input, init), { address: `192.0.2.${++addresses % 250}`, id: 'test' });
  const check = async (token: string | null, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await send(`${SITE}/functions/v1/check-health`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: '{}',
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  };
  const codes = ({ checks }: Answer) =>
    Object.fromEntries(checks.map(({ name, state, code }) => [name, `${state} ${code}`]));
  const client = (key = backend.publishableKey) =>
    new GoTrueClient({
      url: `${SITE}/auth/v1`,
      headers: { apikey: key, Authorization: `Bearer ${key}` },
      fetch: send,
      storageKey: randomUUID(),
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
    });
  const data = async (method: string, path: string, body?: object) => {
    const response = await send(`${SITE}/rest/v1/${path}`, {
      method,
      headers: { apikey: secret, 'content-type': 'application/json', prefer: 'return=representation' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as Record<string, string>[];
  };
  async function createUser(isAdmin = false) {
    const email = `${randomUUID()}@example.com`;
    const made = await client(secret).admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const id = made.data.user!.id;
    if (isAdmin) {
      const [role] = await data('GET', 'roles?name=eq.admin');
      await data('POST', 'user_roles', { user_id: id, role_id: role!['id']! });
    }
    const { data: signedIn } = await client().signInWithPassword({ email, password: PASSWORD });
    return { id, token: signedIn.session!.access_token };
  }
  const harmless = (answer: Answer) => {
    expect(answer).toEqual({
      success: true,
      error: null,
      admin: false,
      now: expect.stringMatching(/^20/),
      checks: [{ name: 'server', state: 'fine', code: 'answers', since: null, at: null }],
    });
    expect(Math.abs(Date.parse(answer.now) - Date.now())).toBeLessThan(60_000);
  };

  it('return only availability and server time to callers without the admin role', async () => {
    harmless(await check(null));
    harmless(await check(null, { apikey: backend.publishableKey }));
    harmless(await check('not a token'));
    harmless(await check(secret, { apikey: secret }));
    harmless(await check((await createUser()).token));
  });

  it('return every check to an admin, without internal messages, and send no e-mail', async () => {
    const { token } = await createUser(true);
    const answer = await check(token);
    expect(answer.admin).toBe(true);
    expect(codes(answer)).toEqual({
      server: 'fine answers',
      database: 'fine answers',
      storage: 'fine answers',
      mail: 'fine answers',
      captcha: 'fine off',
      admin: expect.stringMatching(/^fine (one|several)$/),
      setupKey: 'fine closed',
      secondFactor: 'look off',
      backup: 'look none',
    });
    expect(mails).toBe(0);
    expect(JSON.stringify(answer)).not.toMatch(
      /127\.0\.0\.1|localhost|smtp|postgres|pglite|\bv?\d+\.\d+\.\d+\b|sb_secret|eyJ/i,
    );
  });

  it('report since when a check has had its state', async () => {
    const { token } = await createUser(true);
    const since = ({ checks }: Answer) => checks.find(({ name }) => name === 'database')!.since!;
    const first = since(await check(token));
    expect(since(await check(token))).toBe(first);
    expect(Date.parse(first)).toBeLessThanOrEqual(Date.now());
  });

  it('report when an archive was last verified, and warn when that is long ago or failed', async () => {
    const { token } = await createUser(true);
    const backup = async () => {
      const { state, code, at } = (await check(token)).checks.find(({ name }) => name === 'backup')!;
      return { state, code, at: at && Date.now() - Date.parse(at) };
    };
    const server = { dataDir, backend: config.backend };
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await recordCheckResult(server, { outcome: 'whole', madeAt: daysAgo(8.1) }, silent);
    expect(await backup()).toMatchObject({ state: 'look', code: 'old' });
    await recordCheckResult(server, { outcome: 'whole', madeAt: daysAgo(7.9) }, silent);
    expect(await backup()).toMatchObject({ state: 'fine', code: 'whole' });

    const path = join(dataDir, 'whole.tar');
    expect(await archive(dataDir, 'make', path)).toMatchObject({ code: 0 });
    expect(await backup()).toEqual({ state: 'fine', code: 'whole', at: expect.closeTo(0, -5) });
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(join(dataDir, 'damaged.tar'), bytes);
    expect(await archive(dataDir, 'check', join(dataDir, 'damaged.tar'))).toMatchObject({ code: 1 });
    expect(await backup()).toMatchObject({ state: 'look', code: 'failed' });
    expect(await archive(dataDir, 'check', path)).toMatchObject({ code: 0 });
    expect(await backup()).toMatchObject({ state: 'fine', code: 'whole' });
  });

  it('return no more to a former or banned admin than to any other caller', async () => {
    const withdrawn = await createUser(true);
    await data('DELETE', `user_roles?user_id=eq.${withdrawn.id}`);
    harmless(await check(withdrawn.token));
    const banned = await createUser(true);
    await client(secret).admin.updateUserById(banned.id, { ban_duration: '24h' });
    harmless(await check(banned.token));
  });

  it('report an unreachable mail server, and still return the other checks', async () => {
    const { token } = await createUser(true);
    await new Promise<void>((gone) => postbox.close(() => gone()));
    const began = performance.now();
    expect(codes(await check(token))).toMatchObject({ mail: 'look away', database: 'fine answers' });
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it('accept POST only', async () => {
    expect((await send(`${SITE}/functions/v1/check-health`)).status).toBe(405);
    expect((await send(`${SITE}/functions/v1/check-health`, { method: 'OPTIONS' })).status).toBeLessThan(300);
  });
});
