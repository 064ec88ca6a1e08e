import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startMigratedPostgres } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { canStartStandby, startStandby } from '../../programs/postgres.ts';
import { newAddress, type RunningServer, startServer } from '../../server.ts';
import { folderForTests } from '../folder-for-tests.ts';
import { startLoad, wasRefused } from './load.ts';
import { type Relay, startRelay } from './relay.ts';

const SESSIONS = 6;
/** Time after the end of a fault from which no request may fail. */
const BACK_MS = 10_000;
const FROZEN_MS = 15_000;
const OLDEST_MS = 2_000;
const SECRET = 'sb_secret_of_the_tests_of_faults_long_enough';
const PUBLISHABLE = 'sb_publishable_of_the_tests_of_faults';

/** The database has a standby, and the second machine reaches both through relays that can be cut. */
describe.skipIf(!canStartStandby())('two machines', () => {
  const folder = folderForTests();
  const primary = forAllTests(startMigratedPostgres);
  const standby = forAllTests(() => startStandby(primary));
  let lines: Relay[];
  let settings: Record<string, string>;
  let whole: RunningServer;
  let cut: RunningServer;
  let sql: postgres.Sql;
  beforeAll(async () => {
    const ports = [primary, standby].map(({ url }) => Number(new URL(url).port));
    lines = await Promise.all(ports.map(startRelay));
    const urlOf = (to: number[]) => `postgres://postgres@${to.map((port) => `127.0.0.1:${port}`).join()}/postgres`;
    const KEYS_FILE = join(folder, 'keys.json');
    const keys = { SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE, SUPABASE_SECRET_KEY: SECRET, KEYS_FILE };
    const urls = { DATABASE_URL: urlOf(ports), SITE_URL: 'http://madhouse.example' };
    settings = { ...keys, ...urls, DATABASE_SESSIONS: String(SESSIONS), SEED: 'none', TRUST_PROXY: '1' };
    whole = await startServer(settings);
    cut = await startServer({ ...settings, DATABASE_URL: urlOf(lines.map(({ port }) => port)) });
    sql = postgres(primary.url, { max: 1, onnotice: () => {} });
  });
  afterEach(() => {
    for (const line of lines) line.restore();
  });
  afterAll(async () => {
    await Promise.all([cut, whole].map((machine) => machine?.stop({ signal: 'SIGINT' })));
    await sql?.end();
    for (const line of lines ?? []) await line.close();
  });

  const acknowledged: string[] = [];
  /** Sends a request; fails without a response within 20 seconds. */
  const request = async ({ base }: RunningServer, path: string, init: RequestInit = {}) => {
    const headers = { 'x-forwarded-for': newAddress(), ...init.headers };
    const response = await fetch(base + path, { ...init, headers, signal: AbortSignal.timeout(20_000) });
    return { status: response.status, wait: Number(response.headers.get('retry-after')), text: await response.text() };
  };
  const asService = { apikey: SECRET, authorization: `Bearer ${SECRET}` };
  const write = async (machine: RunningServer, title: string = randomUUID(), status = 'draft') => {
    const headers = { ...asService, 'content-type': 'application/json' };
    const body = JSON.stringify({ title, status });
    const response = await request(machine, '/rest/v1/projects', { method: 'POST', headers, body });
    if (response.status === 201) acknowledged.push(title);
    return response;
  };
  const list = (machine: RunningServer) => request(machine, '/case-studies');
  const search = (machine: RunningServer) => request(machine, `/case-studies?q=${randomUUID()}`);
  const readiness = async (machine: RunningServer) => {
    const { status, text } = await request(machine, '/ready');
    return { status, ...(JSON.parse(text) as Record<'problems' | 'warnings', { part: string }[]>) };
  };
  const refused = { status: 503, wait: expect.toSatisfy((seconds: number) => seconds > 0) };
  const back = (machine: RunningServer) =>
    expect.poll(async () => (await write(machine)).status, { timeout: BACK_MS, interval: 100 }).toBe(201);
  /** Checks that a change on one machine appears on the other, which caches pages again. */
  const publish = async (from: RunningServer, to: RunningServer) => {
    const title = `Published ${randomUUID()}`;
    await expect.poll(async () => (await readiness(to)).warnings).toEqual([]);
    expect((await list(to)).text).not.toContain(title);
    expect((await write(from, title, 'active')).status).toBe(201);
    await expect.poll(async () => (await list(to)).text, { timeout: OLDEST_MS }).toContain(title);
  };
  const expectNothingLost = async () => {
    const found = await sql<{ title: string }[]>`select title from projects where title = any(${acknowledged})`;
    expect(found.map(({ title }) => title).sort()).toEqual(acknowledged.toSorted());
  };

  const useAllSessions = (machine: RunningServer) =>
    Promise.all(Array.from({ length: 2 * SESSIONS }, () => write(machine)));
  /** Sends more concurrent requests than it has sessions. @returns when all have a response, while its database is silent */
  const expectRefused = async (machine: RunningServer) => {
    const requests = Array.from({ length: 2 * SESSIONS }, (_, at) => (at % 2 ? write(machine) : search(machine)));
    for (const response of await Promise.all(requests)) expect(response).toMatchObject(refused);
    expect(await readiness(machine)).toMatchObject({ status: 503, problems: [{ part: 'database' }] });
    expect((await request(machine, '/about')).status).toBe(200);
  };

  it('respond to each request while the database hangs, and recover with it', async () => {
    await Promise.all([whole, cut].map(useAllSessions));
    const begun = performance.now();
    primary.freeze();
    try {
      await Promise.all([whole, cut].map(expectRefused));
      await sleep(Math.max(0, FROZEN_MS - (performance.now() - begun)));
    } finally {
      primary.thaw();
    }
    await Promise.all([whole, cut].map(back));
    await publish(whole, cut);
    await publish(cut, whole);
    await expectNothingLost();
  });

  it.each(['freeze', 'cut'] as const)(
    'continue when one loses its database connection (%s), which serves no stale data and recovers',
    async (fault) => {
      const title = `Withdrawn ${randomUUID()}`;
      expect((await write(whole, title, 'active')).status).toBe(201);
      await expect.poll(async () => (await list(cut)).text).toContain(title);
      await useAllSessions(cut);
      for (const line of lines) line[fault]();
      const headers = { ...asService, 'content-type': 'application/json' };
      const body = JSON.stringify({ status: 'draft' });
      const path = `/rest/v1/projects?title=eq.${encodeURIComponent(title)}`;
      expect((await request(whole, path, { method: 'PATCH', headers, body })).status).toBe(204);
      const refusing = expectRefused(cut);
      const gone = performance.now();
      for (let age = 0; age < 2 * OLDEST_MS; age = performance.now() - gone) {
        const { text } = await list(cut);
        if (age > OLDEST_MS) expect(text).not.toContain(title);
        await sleep(50);
      }
      await refusing;
      expect((await write(whole)).status).toBe(201);
      for (const line of lines) line.restore();
      await back(cut);
      expect(await list(cut)).toMatchObject({ status: 200, text: expect.not.stringContaining(title) });
      await publish(whole, cut);
    },
  );

  it('continue with their sessions while other clients use all the rest, reject further requests, and recover', async () => {
    const others: postgres.Sql[] = [];
    const takeAll = async () => {
      for (;;) {
        const other = postgres(primary.url, { max: 1, onnotice: () => {}, fetch_types: false });
        others.push(other);
        if (!(await other`select 1`.catch(() => null))) return;
      }
    };
    try {
      await takeAll();
      expect((await write(whole)).status).toBe(201);
      expect(await request(cut, '/ready')).toMatchObject({ status: 200 });
      await expect(startServer(settings)).rejects.toThrow(
        /^The server exited with code 1:\nCannot start: DATABASE_URL cannot be used\. The database server has no free connection: .*\n$/,
      );
      const requestAll = async () => {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'madhouse'`;
        await takeAll();
        return Promise.all([whole, cut].flatMap((machine) => [write(machine), search(machine)]));
      };
      await expect.poll(requestAll).toMatchObject([refused, refused, refused, refused]);
      for (const machine of [whole, cut]) expect((await request(machine, '/about')).status).toBe(200);
    } finally {
      await Promise.all(others.map((other) => other.end()));
    }
    await Promise.all([whole, cut].map(back));
    await publish(whole, cut);
    await publish(cut, whole);
    await expectNothingLost();
  });

  it('fail over to the standby when the database dies, without losing acknowledged writes', async () => {
    const loads = [whole, cut].map(({ base }) => startLoad(base, SECRET, { clients: 3 }));
    await expect.poll(() => Math.min(...loads.map((load) => load.acknowledged.length))).toBeGreaterThan(10);
    await primary.kill();
    await sql.end();
    sql = postgres(standby.url, { max: 1, onnotice: () => {} });
    await expect.poll(() => loads.flatMap(({ lost }) => lost).length).toBeGreaterThan(10);
    await sql`select pg_promote()`;
    await Promise.all([whole, cut].map(back));
    // Some sessions reach the new server shortly after the first.
    const newlyLost = async () => {
      const before = loads.flatMap((load) => load.lost).length;
      await sleep(500);
      return loads.flatMap((load) => load.lost).length - before;
    };
    await expect.poll(newlyLost, { timeout: BACK_MS }).toBe(0);
    const before = loads.map((load) => load.acknowledged.length);
    const since = Date.now();
    await expect.poll(() => loads.every((load, at) => load.acknowledged.length > before[at]! + 10)).toBe(true);
    await Promise.all(loads.map((load) => load.stop()));
    expect(loads.flatMap((load) => load.lost).filter((one) => !wasRefused(one) || one.when > since)).toEqual([]);
    acknowledged.push(...loads.flatMap((load) => load.acknowledged));
    await expectNothingLost();
    await publish(whole, cut);
    await publish(cut, whole);
  });
});
