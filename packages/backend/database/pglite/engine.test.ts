import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { embedded, silent, type TestDatabase, template, temporaryFolder } from '../../../../tests/database.ts';
import { type Database, DatabaseError, DatabaseUnavailable, type Transaction } from '../database.ts';
import { type OpenOptions, openDatabase } from '../open-database.ts';
import { PGliteEngine } from './engine.ts';

let parent: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: string;
const opened: Database[] = [];
// Creating a database without a template takes seconds.
const PATIENT = { timeout: 60_000 };
vi.setConfig({ testTimeout: 120_000 });
beforeEach(async () => {
  parent = await temporaryFolder();
  folder = join(parent.folder, 'database');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  await parent.remove();
});

const open = async (options: Partial<OpenOptions> = {}) => {
  const db = await openDatabase({ kind: 'embedded', folder }, { log: silent, template: await template(), ...options });
  opened.push(db);
  return db;
};

const ENDLESS = { text: 'select count(*) from generate_series(1, 1e12)' };

const count = async (db: Database) => (await db.query<{ n: number }>('select count(*) as n from t')).rows[0]!.n;

it('an engine closes without a fault, since a restart would use an unlocked folder', async () => {
  const errors: string[] = [];
  const db = await open({ log: pino({ level: 'error' }, { write: (line) => errors.push(line) }) });
  await db.query('select 1');
  await db.close();
  expect(errors).toEqual([]);
});

describe('an engine with a statement that takes too long', () => {
  /** Ignores its cancellation. */
  const UNCANCELLABLE = { text: 'select pg_sleep(60)' };
  let test: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    // A long wait, because cancelling takes time on a busy machine.
    test = await embedded.open({ timeoutMs: 10_000, maxWaitMs: 60_000 });
    ({ db } = test);
    await db.script('create table t (id int); insert into t values (1)');
  });
  afterAll(() => test?.end());

  it('cancels the statement and continues with session, listeners and queued calls (TM-46, H1)', async () => {
    await db.script('create temporary table own (id int)');
    const payloads: string[] = [];
    await db.listen('news', (payload) => payloads.push(payload));
    for (let repeated = 0; repeated < 8; repeated++) {
      const endless = db.batch([{ text: 'insert into t values (2)' }, ENDLESS], { timeoutMs: 20 + repeated * 10 });
      const waiting = count(db);
      await expect(endless).rejects.toMatchObject({ code: '57014', message: expect.stringContaining('timeout') });
      expect(await waiting).toBe(1);
    }
    // The temporary table exists only in the same session.
    await db.query('select * from own');
    await db.query("select pg_notify('news', 'still here')");
    await expect.poll(() => payloads, PATIENT).toEqual(['still here']);
  });

  it('runs listeners outside of the transaction that detected the restart (C14)', async () => {
    const queries: Promise<unknown>[] = [];
    await db.listen('news', () => queries.push(db.query('select 1 as one').then(({ rows }) => rows)));
    const lost = db.transaction((tx) => tx.query(UNCANCELLABLE.text), { timeoutMs: 100 });
    await expect(lost).rejects.toMatchObject({ code: '57014' });
    await db.transaction((tx) => tx.query('select 1')).catch(() => {});
    await expect.poll(() => queries.length, PATIENT).toBeGreaterThan(0);
    expect(await queries[0]).toEqual([{ one: 1 }]);
  });

  it('restarts when a statement cannot be cancelled, with all rows and listeners (TM-46)', async () => {
    const payloads: string[] = [];
    await db.listen('news', (payload) => payloads.push(payload));
    const endless = db.batch([UNCANCELLABLE], { timeoutMs: 200 });
    // On a busy machine the restart may take longer than the queue timeout.
    const waiting = count(db).catch((error) => error);
    await expect(endless).rejects.toMatchObject({ code: '57014' });
    expect([1, expect.any(DatabaseUnavailable)]).toContainEqual(await waiting);
    await expect.poll(() => count(db).catch(() => 0), PATIENT).toBe(1);
    // Empty: notifications may have been missed.
    await expect.poll(() => payloads, PATIENT).toEqual(['']);
    await db.query("select pg_notify('news', 'again')");
    await expect.poll(() => payloads, PATIENT).toEqual(['', 'again']);
  });

  it('rolls back the transaction that a restart interrupted, and does not run the rest of it', async () => {
    const work = async (tx: Transaction) => {
      await tx.query('set local role pg_monitor');
      await tx.query(UNCANCELLABLE.text).catch(() => {});
      await sleep(3_500);
      await tx.query('insert into t values (2)');
    };
    await expect(db.transaction(work, { timeoutMs: 300 })).rejects.toThrow();
    await sleep(1_500);
    await expect.poll(() => count(db).catch(() => 0), PATIENT).toBe(1);
  });
});

describe('an engine whose calls wait', () => {
  it('a late cancellation never cancels the following statement (TM-46)', async () => {
    await cp(await template(), folder, { recursive: true });
    const engine = new PGliteEngine(folder, silent);
    await engine.start();
    const run = (text: string) => engine.send({ kind: 'run', statements: [{ text }] }, 60_000);
    let refused = 0;
    // On a busy machine most cancellations are late.
    for (let repeated = 0; repeated < 150 || refused === 0; repeated++) {
      const first = run('select count(*) from generate_series(1, 4000)');
      const second = run(`select count(*) as n from generate_series(1, ${4000 + repeated})`);
      // Both are sent; then this thread is busy, so that it may not have received the first result.
      for (let step = 0; step < 20; step++) await null;
      const until = performance.now() + Math.random() * 3;
      while (performance.now() < until);
      first.cancel();
      await first.results.catch(({ code }) => (refused += code === '57014' ? 1 : 0));
      expect((await second.results)[0]!.rows).toEqual([{ n: 4000 + repeated }]);
    }
    await engine.stop();
  });

  it('a pipelined call times out in the queue like any other, and never runs afterwards (H1, L2)', async () => {
    const db = await open({ timeoutMs: 1_000, maxWaitMs: 300 });
    await db.script('create table t (id int)');
    const long = db.query(ENDLESS.text);
    const ahead = db.query('insert into t values (1)');
    await expect(ahead).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(long).rejects.toMatchObject({ code: '57014' });
    expect(await count(db)).toBe(0);
  });
});

describe('an engine that cancels or rejects a statement', () => {
  let test: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    test = await embedded.open({ timeoutMs: 60_000 });
    ({ db } = test);
    await db.script(`create table t (id int); insert into t values (1); create temporary table own (id int);
      create table long as select repeat(md5(n::text) || ' ', 2500) as body from generate_series(1, 400) n`);
  });
  afterAll(() => test?.end());
  // The temporary table exists only in the same session: the engine was not restarted.
  afterEach(() => db.query('select * from own'));

  it.each([
    ['a text search', "select count(*) from long where to_tsvector(body) @@ 'a & b'"],
    ['a pattern', "select count(*) from long a, long b where a.body ilike '%a%b%c%d%zz'"],
    ['a sort', 'select body from long a, generate_series(1, 2000) n order by n::text || body'],
    ['a loop', 'do $$ begin loop null; end loop; end $$'],
    ['a recursion', 'with recursive r as (select 1 as n union all select n + 1 from r) select max(n) from r'],
  ])('cancels %s', async (_, text) => {
    await expect(db.batch([{ text }], { timeoutMs: 150 })).rejects.toMatchObject({ code: '57014' });
  });

  it('rejects a transaction whose statement was cancelled', async () => {
    const work = async (tx: Transaction) => {
      await tx.query('insert into t values (2)');
      await tx.query(ENDLESS.text);
    };
    await expect(db.transaction(work, { timeoutMs: 200 })).rejects.toMatchObject({ code: '57014' });
    expect(await count(db)).toBe(1);
  });

  it('does not block this thread', async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 10);
    await db.query('select count(*) from generate_series(1, 2e6)');
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(5);
  });

  it.each([
    ['JSON nested 7,000 deep', 'select $1::text::jsonb', `${'['.repeat(7_000)}${']'.repeat(7_000)}`],
    ['JSON nested 100,000 deep', 'select $1::text::jsonb', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['an overflowing pattern', "select 'aaa' ~ $1", '(x{1,200}){1,200}'],
    ['a deep text query', 'select $1::tsquery', `${'('.repeat(20_000)}a${')'.repeat(20_000)}`],
    ['a deep negated query', 'select $1::tsquery', `${'!'.repeat(100_000)}a`],
  ])('rejects %s and stays usable (TM-46, TM-47)', async (_, text, poison) => {
    const poisoned = await db
      .batch([{ text: 'insert into t values (2)' }, { text, values: [poison] }])
      .catch((error) => error);
    expect(poisoned).toBeInstanceOf(DatabaseError);
    await expect(db.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    expect(await count(db)).toBe(1);
  });

  it('rejects an expression that is nested too deeply', async () => {
    const deep = await db.query(`select ${'('.repeat(50_000)}1${')'.repeat(50_000)}`).catch((error) => error);
    expect(deep).toBeInstanceOf(DatabaseError);
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
