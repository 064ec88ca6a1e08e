import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf, newPath, png } from '../../packages/backend/tests/storage/files.ts';
import { startMigratedPostgres } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { startMailServer } from '../programs/mail-server.ts';
import { newAddress, type RunningServer, startServer } from '../server.ts';
import { type Client, clientOf } from './client.ts';
import { folderForTests } from './folder-for-tests.ts';

const PASSWORD = 'tangerine bicycle';
const CODE = { type: 'signup', token_hash: 'x' };

describe('two servers with one database and one key file', () => {
  const folder = folderForTests();
  const database = forAllTests(startMigratedPostgres);
  const mails = forAllTests(() => startMailServer());
  let servers: RunningServer[];
  let clients: Client[];
  let sql: postgres.Sql;
  beforeAll(async () => {
    const urls = { DATABASE_URL: database.url, SMTP_URL: mails.url, SITE_URL: 'http://madhouse.test' };
    const settings = { ...urls, KEYS_FILE: join(folder, 'keys.json'), SEED: 'none', TRUST_PROXY: '1' };
    // The tables exist; all other work of a first start is concurrent.
    servers = await Promise.all([startServer(settings), startServer(settings)]);
    clients = servers.map(({ base }) => clientOf({ base, dataDir: folder }));
    sql = postgres(database.url, { onnotice: () => {} });
  });
  afterAll(async () => {
    await sql?.end();
    for (const server of servers ?? []) await server.stop();
  });

  const post = (at: number, path: string, json: object, address = newAddress()) =>
    clients[at % clients.length]!.send(path, { json, headers: { 'x-forwarded-for': address } });
  /** Sends `times` concurrent requests, alternating between the processes. */
  const concurrently = async (times: number, send: (at: number) => Promise<Response>) =>
    (await Promise.all(Array.from({ length: times }, (_, at) => send(at)))).map(({ status }) => status);
  const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

  it('have the same keys after creating them concurrently', async () => {
    const reports = (at: number) => clients[at % 2]!.asService('/rest/v1/rpc/health_report', { json: {} });
    expect(await concurrently(4, reports)).toEqual([200, 200, 200, 200]);
    const account = { email: 'ada@example.com', password: PASSWORD };
    await clients[0]!.createUser(account);
    const { access_token: token, refresh_token } = await clients[0]!.signIn(account);
    for (const client of clients) expect((await client.send('/auth/v1/user', { token })).status).toBe(200);
    const refreshed = [0, 1].map((at) => post(at, '/auth/v1/token?grant_type=refresh_token', { refresh_token }));
    const tokens = refreshed.map(async (response) => (await (await response).json()).refresh_token as string);
    const [one, other] = await Promise.all(tokens);
    expect(one).toBe(other);
  });

  it('share each rate limit exactly, however the requests are distributed', async () => {
    const address = newAddress();
    const wrong = (at: number) =>
      post(at, '/auth/v1/token?grant_type=password', { email: `${at}@example.com`, password: PASSWORD }, address);
    const signIns = await concurrently(50, wrong);
    expect([count(signIns, 400), count(signIns, 429)]).toEqual([30, 20]);
    expect(await concurrently(4, wrong)).toEqual([429, 429, 429, 429]);
    const elsewhere = await post(0, '/auth/v1/token?grant_type=password', { email: 'x@example.com', password: 'x' });
    expect(elsewhere.status).toBe(400);

    const codes = await concurrently(40, (at) => post(at, '/auth/v1/verify', CODE, address));
    expect([count(codes, 403), count(codes, 429)]).toEqual([30, 10]);

    // One e-mail per mailbox and minute.
    const responses = await concurrently(6, (at) => post(at, '/auth/v1/recover', { email: 'unknown@example.com' }));
    expect([count(responses, 200), count(responses, 429)]).toEqual([1, 5]);
    const call = { method: 'POST', headers: { 'x-forwarded-for': address }, body: fileOf(await png(), 'image/png') };
    expect((await clients[0]!.send(`/storage/v1/object/case-studies/${newPath()}`, call)).status).toBe(200);
    const kept = await sql`select key from internal.limits union all select owner from internal.upload_allowances`;
    expect(kept.length).toBeGreaterThan(1);
    expect(JSON.stringify(kept)).not.toMatch(/example\.com|10\.\d/);
  });

  it('count in memory while the database is unreachable, and together again when it responds', async () => {
    await database.crash();
    const begun = performance.now();
    const about = await fetch(`${servers[0]!.base}/about`, { headers: { 'x-forwarded-for': newAddress() } });
    expect(about.status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(5_000);
    const address = newAddress();
    const statuses = await concurrently(40, () => post(0, '/auth/v1/verify', CODE, address));
    expect([count(statuses, 503), count(statuses, 429)]).toEqual([30, 10]);
    await database.start();
    await expect.poll(async () => (await post(0, '/auth/v1/verify', CODE)).status).toBe(403);
  });
});
