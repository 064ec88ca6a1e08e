import { randomUUID } from 'node:crypto';
import { cp, mkdtemp } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../../packages/backend/tests/storage/files.ts';
import { measureSlowdown } from '../../cpu-time.ts';
import { startMigratedPostgres } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { findHaproxy, startHaproxy } from '../../programs/haproxy.ts';
import { findSwift, startSwift } from '../../programs/swift.ts';
import { keysIn, newAddress, type RunningServer, startServer } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';
import { findChanged, listeningOn, replaceWorkers, startLoad, startUploads } from './load.ts';
import { startRelay } from './relay.ts';

const OLDEST_MS = 2_000;
/** Rounds of unpublishing, changing and publishing under load. */
const ROUNDS = 20;
/** Each has its own folder, port and two processes; they share the database and the keys. */
describe.skipIf(!findHaproxy() || !findSwift())('two machines behind a balancer', () => {
  const database = forAllTests(startMigratedPostgres);
  const swift = forAllTests(startSwift);
  const relay = forAllTests(() => startRelay(Number(new URL(database.url).port)));
  let machines: RunningServer[];
  let keys: { publishable: string; secret: string };
  beforeAll(async () => {
    const urls = { DATABASE_URL: database.url, SITE_URL: 'http://madhouse.example' };
    const processes = { WORKERS: '2', DATABASE_SESSIONS: '6' };
    const settings = { ...urls, ...processes, SEED: 'none', TRUST_PROXY: '2', ...(await swift.settings()) };
    const first = await startServer(settings);
    keys = keysIn(first.dataDir);
    const other = await mkdtemp(join(tmpdir(), 'madhouse-other-'));
    await cp(join(first.dataDir, 'keys.json'), join(other, 'keys.json'));
    // The LISTEN connection uses a relay that can be cut.
    const direct = database.url.replace(/:\d+\//, `:${relay.port}/`);
    machines = [first, await startServer({ ...settings, DATABASE_DIRECT_URL: direct }, other)];
  });
  afterAll(() => Promise.all((machines ?? []).map((machine) => machine.stop())));
  const balancer = forAllTests(() => startHaproxy(machines.map(({ base }) => base)));

  const call = async (path: string, { headers, ...rest }: Call = {}, base = balancer.base) => {
    const client = clientOf({ base, dataDir: machines[0]!.dataDir });
    const response = await client.send(path, { ...rest, headers: { prefer: 'return=representation', ...headers } });
    return { status: response.status, body: await response.text() };
  };
  const json = async <T>(path: string, options?: Call) => {
    const { status, body } = await call(path, options);
    expect(status, `${path}: ${body}`).toBeLessThan(300);
    return JSON.parse(body) as T;
  };
  const secret = () => ({ apikey: keys.secret });

  it('act as one installation for sign-in, writes, reads of those writes, publishing and sign-out', async () => {
    await expect.poll(() => listeningOn(database.url)).toBe(4);
    for (let round = 0; round < 2; round++) {
      const account = { email: `${randomUUID()}@madhouse.example`, password: 'a-long-walk-by-the-sea' };
      const client = clientOf({ ...machines[0]!, base: balancer.base });
      const { id } = await client.createUser(account);
      let session = await client.signIn(account);
      for (let refreshed = 0; refreshed < 4; refreshed++) {
        const { refresh_token } = session;
        session = await json('/auth/v1/token?grant_type=refresh_token', { json: { refresh_token } });
        expect((await json<{ id: string }>('/auth/v1/user', { token: session.access_token })).id).toBe(id);
      }
      const token = session.access_token;
      const title = `Round ${round} ${randomUUID()}`;
      const draft = { title, status: 'draft', created_by: id };
      const [project] = await json<{ id: string }[]>('/rest/v1/projects', { token, json: draft });
      const own = `/rest/v1/projects?id=eq.${project!.id}&select=title,status`;
      const page = `/case-studies/${project!.id}/${title.toLowerCase().replaceAll(' ', '-')}`;
      // Eight attempts reach each process of each machine twice.
      for (let attempt = 0; attempt < 8; attempt++) {
        expect(await json(own, { token })).toEqual([{ title, status: 'draft' }]);
        expect(await json(own)).toEqual([]);
        expect((await call(page)).status).toBe(404);
      }
      const publication = { ...secret(), method: 'PATCH', json: { status: 'active' } };
      await json(`/rest/v1/projects?id=eq.${project!.id}`, publication);
      // Other processes may be milliseconds late.
      await expect.poll(async () => (await call(page)).status).toBe(200);
      await sleep(100);
      for (let attempt = 0; attempt < 8; attempt++) {
        expect((await call(page)).body).toContain(`<title>${title} |`);
        expect(await json(own)).toEqual([{ title, status: 'active' }]);
      }
      expect((await call('/auth/v1/logout', { method: 'POST', token })).status).toBe(204);
      for (let attempt = 0; attempt < 8; attempt++)
        expect((await call('/auth/v1/user', { token })).status).toBeGreaterThanOrEqual(401);
    }
  });

  /** Reads a page repeatedly on one connection, and so from one process; records each response. */
  function reader(base: string, path: string, pauseMs: number) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const seen: { requestedAt: number; html: string }[] = [];
    let stopped = false;
    const running = (async () => {
      while (!stopped) {
        const requestedAt = performance.now();
        const response = await new Promise<IncomingMessage>((resolve, reject) =>
          get(base + path, { agent, headers: { 'x-forwarded-for': newAddress() } }, resolve).once('error', reject),
        );
        seen.push({ requestedAt, html: response.statusCode === 404 ? '' : await text(response) });
        response.resume();
        await sleep(pauseMs);
      }
      agent.destroy();
    })();
    const stop = async () => {
      stopped = true;
      await running;
    };
    return { seen, stop };
  }

  /** Lets readers continue until what was replaced before is too old. @returns the limit, milliseconds */
  async function untilTooOld(slowdown: () => number): Promise<number> {
    const begun = performance.now();
    while (performance.now() - begun < OLDEST_MS * slowdown() + 500) await sleep(100);
    return OLDEST_MS * slowdown();
  }

  /**
   * Publishes and unpublishes one experiment and changes another, while all processes are requested for the list of both.
   * @param more whether another round follows; gets the number of finished rounds and the fewest versions that a reader has seen
   */
  async function publishUnderReaders(more: (rounds: number, versions: () => number) => boolean, pauseMs = 0) {
    // Writes through one machine; the other is notified by the database.
    const write = async (path: string, method: string, body?: unknown) => {
      const response = await call(`/rest/v1/projects${path}`, { ...secret(), method, json: body }, machines[0]!.base);
      expect(response.status, response.body).toBeLessThan(300);
      return response.body;
    };
    const rows = ['Version 0', 'Open 0'].map((title) => ({ title, status: 'active' }));
    const [changed, opened] = (JSON.parse(await write('', 'POST', rows)) as { id: string }[]).map(({ id }) => id);
    const readers = machines.flatMap(({ base }) =>
      Array.from({ length: 3 }, () => reader(base, '/case-studies', Math.max(30, pauseMs / 2))),
    );
    /** Time at which each title was withdrawn. */
    const gone = new Map<string, number>();
    let rounds = 0;
    const titlesIn = (html: string) =>
      [...html.matchAll(/Project: ((?:Version|Open) \d+)/g)].map(([, title]) => title!);
    const versionsOf = ({ seen }: (typeof readers)[number]) => new Set(seen.flatMap(({ html }) => titlesIn(html))).size;
    const slowdown = measureSlowdown();
    while (more(rounds, () => Math.min(...readers.map(versionsOf)))) {
      rounds++;
      await write(`?id=eq.${opened}`, 'PATCH', { status: 'draft', title: `Secret ${rounds}` });
      gone.set(`Open ${rounds - 1}`, performance.now());
      await write(`?id=eq.${changed}`, 'PATCH', { title: `Version ${rounds}` });
      gone.set(`Version ${rounds - 1}`, performance.now());
      await write(`?id=eq.${opened}`, 'PATCH', { status: 'active', title: `Open ${rounds}` });
      await sleep(pauseMs);
    }
    const maxAge = await untilTooOld(slowdown);
    await Promise.all(readers.map((one) => one.stop()));
    await write(`?id=in.(${changed},${opened})`, 'DELETE');
    const responses = readers.flatMap(({ seen }) => seen);
    const drafts = responses.filter(({ html }) => html.includes('Secret')).length;
    const ages = responses.flatMap(({ requestedAt, html }) =>
      titlesIn(html).map((title) => requestedAt - (gone.get(title) ?? requestedAt)),
    );
    // Milliseconds; the limit is longer while other processes delay the responses.
    return { responses: responses.length, maxAge, drafts, oldest: Math.max(...ages) };
  }

  it('show no draft and no content older than two seconds, whichever of four processes responds', async () => {
    const more = (rounds: number, versions: () => number) => rounds < ROUNDS || versions() <= 10;
    const { responses, drafts, oldest, maxAge } = await publishUnderReaders(more);
    expect(drafts).toBe(0);
    expect(oldest).toBeLessThan(maxAge);
    expect(responses).toBeGreaterThan(100);
  });

  it('show no stale content while the LISTEN connection of one of them is dead for ten seconds', async () => {
    let over = false;
    let begun = 0;
    const running = publishUnderReaders((rounds) => {
      begun = rounds;
      return !over;
    }, 200);
    await expect.poll(() => begun, { timeout: 300_000 }).toBeGreaterThan(2);
    relay.freeze();
    await sleep(10_000);
    relay.restore();
    await sleep(1_000);
    over = true;
    const { drafts, oldest, maxAge } = await running;
    expect(drafts).toBe(0);
    // A dead connection is detected with a delay; processes that wait for a core may not have cached anything before.
    if (maxAge < 2 * OLDEST_MS) expect(oldest).toBeGreaterThan(100);
    expect(oldest).toBeLessThan(maxAge);
    expect(machines[1]!.output()).toContain('LISTEN connection lost');
  });

  it('lose no request and no upload while workers are replaced under load', async () => {
    const picture = await png();
    const load = startLoad(balancer.base, keys.secret, { clients: 3 });
    const uploads = startUploads(balancer.base, keys.secret, picture, { clients: 2, everyMs: 1_000 });
    await replaceWorkers(machines[0]!);
    await Promise.all([load.stop(), uploads.stop()]);
    expect([...load.lost, ...uploads.lost]).toEqual([]);
    expect(load.answered).toBeGreaterThan(50);
    expect(uploads.acknowledged.length).toBeGreaterThan(5);
    expect(await findChanged(balancer.base, uploads.acknowledged, picture)).toEqual([]);
  });

  it('lose no request when one machine is stopped under load', async () => {
    const kept = startLoad(balancer.base, keys.secret, { kept: true, clients: 3 });
    const load = startLoad(balancer.base, keys.secret, { clients: 3 });
    await sleep(500);
    expect(await machines[1]!.stop({ keep: true })).toBe(0);
    await sleep(1_000);
    await Promise.all([load.stop(), kept.stop()]);
    expect([...load.lost, ...kept.lost]).toEqual([]);
    expect(load.answered + kept.answered).toBeGreaterThan(50);
  });
});
