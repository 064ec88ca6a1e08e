import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silent, template, temporaryFolder } from '../../../tests/database.ts';
import { type Database, DatabaseError, DatabaseUnavailable } from '../database.ts';
import { type OpenOptions, openDatabase } from '../open-database.ts';
import { PGliteEngine } from './engine.ts';

let parent: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: string;
const opened: Database[] = [];
// A database made from nothing takes seconds, and many on a busy machine.
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

const count = async (db: Database) => (await db.query<{ n: number }>('select count(*) as n from t')).rows[0]!.n;

it('an engine closes without a fault, which would open another one in a folder that is not ours any more', async () => {
  const errors: string[] = [];
  const db = await open({ log: pino({ level: 'error' }, { write: (line) => errors.push(line) }) });
  await db.query('select 1');
  await db.close();
  expect(errors).toEqual([]);
});

describe('an engine that works for too long', () => {
  const ENDLESS = { text: 'select count(*) from generate_series(1, 1e12)' };
  /** It waits in a way that does not heed cancelling. */
  const DEAF = { text: 'select pg_sleep(60)' };

  it('TM-46, H1: has the statement cancelled and goes on, with its session, its listeners and what waits', async () => {
    // What waits is not what is tried here: on a busy machine cancelling takes its time.
    const db = await open({ timeoutMs: 10_000, maxWaitMs: 60_000 });
    await db.script('create table t (id int); insert into t values (1); create temporary table own (id int)');
    const heard: string[] = [];
    await db.listen('news', (payload) => heard.push(payload));
    for (let again = 0; again < 20; again++) {
      const endless = db.batch([{ text: 'insert into t values (2)' }, ENDLESS], { timeoutMs: 20 + again * 5 });
      const waiting = count(db);
      await expect(endless).rejects.toMatchObject({ code: '57014', message: expect.stringContaining('timeout') });
      expect(await waiting).toBe(1);
    }
    // What a session has is gone with the engine.
    await db.query('select * from own');
    await db.query("select pg_notify('news', 'still here')");
    await expect.poll(() => heard, PATIENT).toEqual(['still here']);
  });

  it.each([
    ['a text search', "select count(*) from long where to_tsvector(body) @@ 'a & b'"],
    ['a pattern', "select count(*) from long a, long b where a.body ilike '%a%b%c%d%zz'"],
    ['a sort', 'select body from long a, generate_series(1, 2000) n order by n::text || body'],
    ['a loop', 'do $$ begin loop null; end loop; end $$'],
    ['a recursion', 'with recursive r as (select 1 as n union all select n + 1 from r) select max(n) from r'],
  ])('cancels %s', async (_, text) => {
    const db = await open();
    await db.script(`create table long as select repeat(md5(n::text) || ' ', 2500) as body from generate_series(1, 400) n;
      create temporary table own (id int)`);
    await expect(db.batch([{ text }], { timeoutMs: 150 })).rejects.toMatchObject({ code: '57014' });
    await db.query('select * from own');
  });

  it('takes the cancelling of a statement inside a transaction as its refusal', async () => {
    const db = await open();
    await db.script('create table t (id int); create temporary table own (id int)');
    const lost = db.transaction(
      async (tx) => {
        await tx.query('insert into t values (1)');
        await tx.query(ENDLESS.text);
      },
      { timeoutMs: 200 },
    );
    await expect(lost).rejects.toMatchObject({ code: '57014' });
    expect(await count(db)).toBe(0);
    await db.query('select * from own');
  });

  it('C14: tells its listeners outside of the transaction of whoever found it gone', async () => {
    const db = await open();
    const asked: Promise<unknown>[] = [];
    await db.listen('news', () => asked.push(db.query('select 1 as one').then(({ rows }) => rows)));
    const lost = db.transaction(
      async (tx) => {
        await tx.query(DEAF.text);
      },
      { timeoutMs: 100 },
    );
    await expect(lost).rejects.toMatchObject({ code: '57014' });
    await db.transaction((tx) => tx.query('select 1')).catch(() => {});
    await expect.poll(() => asked.length, PATIENT).toBeGreaterThan(0);
    expect(await asked[0]).toEqual([{ one: 1 }]);
  });

  it('TM-46: has only that statement cancelled, however late that is asked, and not the one that follows it', async () => {
    await open().then((db) => db.close());
    const engine = new PGliteEngine(folder, silent);
    await engine.start();
    const run = (text: string) => engine.send({ kind: 'run', statements: [{ text }] }, 60_000);
    let refused = 0;
    for (let again = 0; again < 400; again++) {
      const first = run('select count(*) from generate_series(1, 4000)');
      const second = run(`select count(*) as n from generate_series(1, ${4000 + again})`);
      // Both are sent; then this thread is busy, so that the first may be over without its having heard.
      for (let step = 0; step < 20; step++) await null;
      const until = performance.now() + Math.random() * 3;
      while (performance.now() < until);
      first.cancel();
      await first.results.catch(({ code }) => (refused += code === '57014' ? 1 : 0));
      expect((await second.results)[0]!.rows).toEqual([{ n: 4000 + again }]);
    }
    expect(refused).toBeGreaterThan(0);
    await engine.stop();
  });

  it('H1, L2: whoever was sent ahead waits no longer than anybody, and nothing of it happens afterwards', async () => {
    const db = await open({ timeoutMs: 2_000, maxWaitMs: 300 });
    await db.script('create table t (id int)');
    const long = db.query(ENDLESS.text);
    const ahead = db.query('insert into t values (1)');
    await expect(ahead).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(long).rejects.toMatchObject({ code: '57014' });
    expect(await count(db)).toBe(0);
  });

  it('TM-46: is replaced when a statement cannot be cancelled, with all rows and listeners, while others wait', async () => {
    const db = await open();
    await db.script('create table t (id int); insert into t values (1)');
    const heard: string[] = [];
    await db.listen('news', (payload) => heard.push(payload));
    const endless = db.batch([DEAF], { timeoutMs: 200 });
    // On a busy machine the engine may take longer to come back than anyone is made to wait.
    const waiting = count(db).catch((error) => error);
    await expect(endless).rejects.toMatchObject({ code: '57014' });
    expect([1, expect.any(DatabaseUnavailable)]).toContainEqual(await waiting);
    await expect.poll(() => count(db).catch(() => 0), PATIENT).toBe(1);
    // Empty: something may have been missed.
    await expect.poll(() => heard, PATIENT).toEqual(['']);
    await db.query("select pg_notify('news', 'again')");
    await expect.poll(() => heard, PATIENT).toEqual(['', 'again']);
  });

  it('undoes the transaction that it was replaced in, and does not run the rest of it without it', async () => {
    const db = await open();
    await db.script('create table t (id int); insert into t values (1)');
    const lost = db.transaction(
      async (tx) => {
        await tx.query('set local role pg_monitor');
        await tx.query(DEAF.text).catch(() => {});
        await sleep(3_500);
        await tx.query('insert into t values (2)');
      },
      { timeoutMs: 300 },
    );
    await expect(lost).rejects.toThrow();
    await sleep(1_500);
    await expect.poll(() => count(db).catch(() => 0), PATIENT).toBe(1);
  });

  it('keeps this thread free while it works', async () => {
    const db = await open();
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
  ])('TM-46, TM-47: refuses %s and stays usable', async (_, text, poison) => {
    const db = await open({ timeoutMs: 5_000 });
    await db.script('create table t (id int); insert into t values (1); create temporary table own (id int)');
    const poisoned = await db
      .batch([{ text: 'insert into t values (2)' }, { text, values: [poison] }])
      .catch((error) => error);
    expect(poisoned).toBeInstanceOf(DatabaseError);
    await expect(db.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    expect(await count(db)).toBe(1);
    // Refused by the engine itself, which would have to be replaced had its stack overflowed.
    await db.query('select * from own');
  });

  it('refuses an expression that is nested too deep', async () => {
    const db = await open({ timeoutMs: 5_000 });
    const deep = await db.query(`select ${'('.repeat(50_000)}1${')'.repeat(50_000)}`).catch((error) => error);
    expect(deep).toBeInstanceOf(DatabaseError);
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
