import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../tests/database.ts';
import { startPostgres, type TestPostgres } from '../../tests/postgres.ts';
import { type Database, DatabaseUnavailable } from './database.ts';
import { openDatabase } from './open.ts';

describe('a PostgreSQL server that comes and goes', () => {
  let server: TestPostgres;
  let db: Database;
  beforeAll(async () => {
    server = await startPostgres();
    db = await openDatabase(
      { kind: 'postgres', url: server.url },
      { log: silent, sessions: 3, waiting: 4, waitMs: 10_000 },
    );
    await db.script('create table t (id int)');
  });
  afterAll(async () => {
    await db.close();
    await server.stop();
  });

  const count = async () => (await db.query<{ n: number }>('select count(*) as n from t')).rows[0]!.n;

  it('serves several at once, and refuses the one too many', async () => {
    const slow = () =>
      db.query<{ began: number }>('select extract(epoch from statement_timestamp())::float8 as began, pg_sleep(0.5)');
    const answers = await Promise.allSettled(Array.from({ length: 8 }, slow));
    const served = answers.filter((answer) => answer.status === 'fulfilled');
    expect(served.length).toBe(7);
    expect(answers[7]).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
    const began = served.map(({ value }) => value.rows[0]!.began).sort((a, b) => a - b);
    expect(Math.min(...began.slice(1).map((at, n) => at - began[n]!))).toBeLessThan(0.5);
  });

  it('never runs the rest of a batch or a transaction on another connection', async () => {
    const owner = await db.query<{ name: string }>('select current_user as name');
    expect(owner.rows[0]!.name).toBe('postgres');
    await db.script('create role visitor; grant visitor to postgres; grant select on t to visitor');
    const kill =
      "select pg_terminate_backend(pid), pg_sleep(0.2) from pg_stat_activity where query like '%the victim%' and pid <> pg_backend_pid()";
    const transaction = db.transaction(async (tx) => {
      await tx.query('set local role visitor');
      await tx.query('select 1 /* the victim */');
      await fromOutside(kill);
      return tx.query('insert into t values (1)');
    });
    await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable);
    const batch = db.batch([
      { text: 'set local role visitor' },
      { text: 'select pg_sleep(10) /* the victim */' },
      ...Array.from({ length: 20 }, (_, id) => ({ text: `insert into t values ($1) /* ${id} */`, values: [id] })),
    ]);
    await sleep(100);
    const [ended] = await Promise.allSettled([batch, fromOutside(kill)]);
    expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
    await sleep(500);
    expect(await count()).toBe(0);
  });

  /** From outside any turn of `db`. */
  async function fromOutside(text: string) {
    const other = await openDatabase({ kind: 'postgres', url: server.url }, { log: silent });
    await other.query(text).finally(() => other.close());
  }

  it('answers unavailable at once while the server is away, and recovers by itself, listeners too', async () => {
    const heard: string[] = [];
    await db.listen('news', (payload) => heard.push(payload));
    await server.crash();
    const asked = Date.now();
    await expect(db.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.batch([{ text: 'select 1' }])).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.transaction((tx) => tx.query('select 1'))).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(Date.now() - asked).toBeLessThan(5_000);
    await server.start();
    expect(await count()).toBe(0);
    await expect.poll(() => heard).toEqual(['']);
    await db.query("select pg_notify('news', 'back')");
    await expect.poll(() => heard).toEqual(['', 'back']);
  });

  it('says at the start, in one line, that the server cannot be used', async () => {
    const nowhere = openDatabase(
      { kind: 'postgres', url: 'postgres://postgres@127.0.0.1:1/postgres' },
      { log: silent },
    );
    await expect(nowhere).rejects.toThrow(/^DATABASE_URL cannot be used\. .*ECONNREFUSED/);
    const wrong = openDatabase({ kind: 'postgres', url: server.url.replace(/postgres$/, 'nothere') }, { log: silent });
    await expect(wrong).rejects.toThrow('database "nothere" does not exist');
  });
});
