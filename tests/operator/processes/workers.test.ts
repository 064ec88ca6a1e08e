import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../programs/postgres.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { keysIn, listeningOn, loadOn, workersOf } from './load.ts';

const WORKERS = 2;
const SESSIONS = 4;

describe('several processes of one server', () => {
  let database: TestPostgres;
  let server: RunningServer;
  let sql: postgres.Sql;
  beforeAll(async () => {
    database = await startPostgres();
    sql = postgres(database.url, { max: 1, onnotice: () => {} });
    server = await startServer({
      DATABASE_URL: database.url,
      WORKERS: String(WORKERS),
      DATABASE_SESSIONS: String(SESSIONS),
      SEED: 'none',
      TRUST_PROXY: '1',
    });
  });
  afterAll(async () => {
    await server?.stop();
    await sql?.end();
    await database?.stop();
  });

  /** As many listen to the database as answer requests. */
  const bothAreThere = async () => {
    await expect
      .poll(async () => [workersOf(server).length, await listeningOn(database.url)])
      .toEqual([WORKERS, WORKERS]);
  };
  const status = (path = '/ready') =>
    fetch(server.base + path, { headers: { connection: 'close' } }).then(
      (answer) => answer.status,
      () => 0,
    );

  it('say once where they are and which key makes the first admin', async () => {
    await bothAreThere();
    expect(server.output().match(/Madhouse is open at/g)).toHaveLength(1);
    expect(server.output()).toContain(`Processes: ${WORKERS}`);
    expect(server.output().match(/Setup key \(shown once,/g)).toHaveLength(1);
    // Printed and not made anew by the second.
    const [key, ...others] = await sql`select told_at is not null as told from private.setup_keys`;
    expect([key, others]).toEqual([{ contentLength: true }, []]);
  });

  it('take no more sessions of the database than they may, whatever is asked of them', async () => {
    const load = loadOn(server.base, keysIn(server.dataDir).secret, { clients: 24 });
    const sessions = await sql.begin(async (tx) => {
      // Every write waits, so whoever writes holds a session.
      await tx`lock table public.projects in exclusive mode`;
      await sleep(2_000);
      return tx`select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    });
    await load.stop();
    expect(load.lost).toEqual([]);
    expect(sessions.length).toBe(WORKERS * SESSIONS);
  });

  it('are replaced one by one on SIGHUP, and no request is lost', async () => {
    const before = workersOf(server);
    const load = loadOn(server.base, keysIn(server.dataDir).secret);
    await sleep(300);
    server.process.kill('SIGHUP');
    await expect
      .poll(() => workersOf(server).some((pid) => before.includes(pid)), { timeout: 300_000, interval: 200 })
      .toBe(false);
    await sleep(300);
    await load.stop();
    expect(load.lost).toEqual([]);
    expect(load.answered).toBeGreaterThan(20);
    expect(await sql`select from projects where title = any(${load.acknowledged})`).toHaveLength(
      load.acknowledged.length,
    );
    await bothAreThere();
  });

  it('go on when one of them is killed, and another takes its place', async () => {
    const [killed, other] = workersOf(server);
    process.kill(killed!, 'SIGKILL');
    await expect.poll(() => workersOf(server)).not.toContain(killed);
    for (let attempt = 0; attempt < 10; attempt++) expect(await status()).toBe(200);
    await bothAreThere();
    expect(workersOf(server)).toContain(other);
  });

  it('end one of them that stands still for ten seconds', async () => {
    const [still] = workersOf(server);
    process.kill(still!, 'SIGSTOP');
    const pending = Array.from({ length: 6 }, () => status());
    await sleep(5_000);
    expect(workersOf(server)).toContain(still);
    await expect.poll(() => workersOf(server), { timeout: 300_000 }).not.toContain(still);
    await expect.poll(() => server.output()).toContain('worker unresponsive for 10 s');
    // Who was handed to it hears of its end; the others went to the other one.
    const answers = await Promise.all(pending);
    expect(answers.filter((answer) => answer === 200).length).toBeGreaterThanOrEqual(5);
    await bothAreThere();
    await expect.poll(() => status()).toBe(200);
  });

  it('answer for a while after SIGTERM, so that a balancer can look elsewhere, and end well', async () => {
    const load = loadOn(server.base, keysIn(server.dataDir).secret);
    await sleep(300);
    const requestedAt = Date.now();
    server.process.kill('SIGTERM');
    await expect.poll(() => status()).toBe(503);
    expect(Date.now() - requestedAt).toBeLessThan(1_000);
    await sleep(3_500 - (Date.now() - requestedAt));
    await load.stop();
    expect(load.lost).toEqual([]);
    expect(load.answered).toBeGreaterThan(20);
    expect(await status('/case-studies')).toBe(200);
    expect(await server.stop({ keep: true })).toBe(0);
    expect(Date.now() - requestedAt).toBeLessThan(15_000);
    expect(await sql`select from projects where title = any(${load.acknowledged})`).toHaveLength(
      load.acknowledged.length,
    );
    const left =
      await sql`select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    expect(left).toHaveLength(0);
  });
});

describe('two first starts at once, on one database and one DATA_DIR', () => {
  it.each(['none', 'project'])('make one house of SEED=%s, with one setup key at most', async (seed) => {
    const database = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'madhouse-first-'));
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    try {
      const both = await Promise.all(
        [1, 2].map(() => startServer({ DATABASE_URL: database.url, SEED: seed }, dataDir)),
      );
      const printed = both.map((server) => server.output()).join('');
      const keys = [...printed.matchAll(/Setup key \(shown once, [^:]*: (\S+)/g)].map(([, key]) => key!);
      const valid = await sql`select encode(hash, 'hex') as hash from private.setup_keys`;
      expect(valid.map(({ hash }) => hash)).toEqual(keys.map((key) => createHash('sha256').update(key).digest('hex')));
      expect(keys.length).toBe(seed === 'none' ? 1 : 0);
      const seeded = await sql`select finished from supabase_migrations.seed_files`.catch(() => []);
      expect(seeded.map(({ finished }) => finished)).toEqual(seed === 'none' ? [] : [true]);
      const twice = await sql`select title from public.projects group by title having count(*) > 1`;
      expect(twice).toHaveLength(0);
      await Promise.all(both.map((server) => server.stop({ keep: true })));
    } finally {
      await sql.end();
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
