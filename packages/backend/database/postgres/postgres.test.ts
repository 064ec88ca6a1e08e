import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../../../tests/database.ts';
import { startPostgres, type TestPostgres } from '../../../../tests/programs/postgres.ts';
import { type Database, DatabaseUnavailable } from '../database.ts';
import { openDatabase } from '../open-database.ts';

/** Selects the sessions whose last statement contains the marker. */
const VICTIM = "select pid from pg_stat_activity where query like '%the victim%' and pid <> pg_backend_pid()";

describe('a PostgreSQL server with outages', () => {
  let server: TestPostgres;
  let db: Database;
  beforeAll(async () => {
    server = await startPostgres();
    const limits = { sessions: 3, maxWaiting: 4, maxWaitMs: 10_000 };
    db = await openDatabase({ kind: 'postgres', url: server.url }, { log: silent, ...limits });
    await db.script('create table t (id int)');
  });
  afterAll(async () => {
    await db.close();
    await server.stop();
  });

  const count = async () => (await db.query<{ n: number }>('select count(*) as n from t')).rows[0]!.n;

  it('runs several queries concurrently, and rejects one above the limit', async () => {
    const slow = () =>
      db.query<{ began: number }>('select extract(epoch from statement_timestamp())::float8 as began, pg_sleep(0.5)');
    const results = await Promise.allSettled(Array.from({ length: 8 }, slow));
    const served = results.filter((result) => result.status === 'fulfilled');
    expect(served.length).toBe(7);
    expect(results[7]).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
    const began = served.map(({ value }) => value.rows[0]!.began).sort((a, b) => a - b);
    expect(Math.min(...began.slice(1).map((at, n) => at - began[n]!))).toBeLessThan(0.5);
  });

  it('never runs the rest of a batch or a transaction on another connection', async () => {
    const owner = await db.query<{ name: string }>('select current_user as name');
    expect(owner.rows[0]!.name).toBe('postgres');
    await db.script('create role visitor; grant visitor to postgres; grant select on t to visitor');
    const kill = VICTIM.replace('pid', 'pg_terminate_backend(pid), pg_sleep(0.2)');
    const transaction = db.transaction(async (tx) => {
      await tx.query('set local role visitor');
      await tx.query('select 1 /* the victim */');
      await fromOutside(kill);
      return tx.query('insert into t values (1)');
    });
    await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable);
    const batch = db.batch([
      { text: 'set local role visitor' },
      { text: 'select pg_sleep(25) /* the victim */' },
      ...Array.from({ length: 20 }, (_, id) => ({ text: `insert into t values ($1) /* ${id} */`, values: [id] })),
    ]);
    await expect.poll(() => fromOutside(VICTIM)).toHaveLength(1);
    const [ended] = await Promise.allSettled([batch, fromOutside(kill)]);
    expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
    await sleep(500);
    expect(await count()).toBe(0);
  });

  /** Queries through a second connection pool. */
  async function fromOutside(text: string) {
    const other = await openDatabase({ kind: 'postgres', url: server.url }, { log: silent });
    const { rows } = await other.query(text).finally(() => other.close());
    return rows;
  }

  it('rejects calls immediately during an outage, and recovers with its listeners', async () => {
    const payloads: string[] = [];
    await db.listen('news', (payload) => payloads.push(payload));
    await server.crash();
    const startedAt = Date.now();
    await expect(db.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.batch([{ text: 'select 1' }])).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.transaction((tx) => tx.query('select 1'))).rejects.toBeInstanceOf(DatabaseUnavailable);
    // Each of the three would wait 10 s for a session.
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    await server.start();
    expect(await count()).toBe(0);
    await expect.poll(() => payloads).toEqual(['']);
    await db.query("select pg_notify('news', 'back')");
    await expect.poll(() => payloads).toEqual(['', 'back']);
  });

  it('rejects an unusable server at the start with a one-line error', async () => {
    const url = 'postgres://postgres@127.0.0.1:1/postgres';
    const nowhere = openDatabase({ kind: 'postgres', url }, { log: silent });
    await expect(nowhere).rejects.toThrow(/^DATABASE_URL cannot be used\. .*ECONNREFUSED/);
    const wrong = openDatabase({ kind: 'postgres', url: server.url.replace(/postgres$/, 'nothere') }, { log: silent });
    await expect(wrong).rejects.toThrow('database "nothere" does not exist');
  });
});

describe('several servers in DATABASE_URL (B8)', () => {
  let first: TestPostgres;
  let second: TestPostgres;
  const hostOf = ({ url }: TestPostgres) => new URL(url).host;
  const urlOf = (...servers: TestPostgres[]) =>
    `postgres://postgres@${servers.map(hostOf).join(',')}/postgres?target_session_attrs=read-write`;
  const portOf = async (db: Database) =>
    Number((await db.query<{ port: string }>(`select current_setting('port') as port`)).rows[0]!.port);
  const own = (server: TestPostgres) => Number(new URL(server.url).port);
  beforeAll(async () => {
    [first, second] = await Promise.all([startPostgres(), startPostgres()]);
  });
  afterAll(() => Promise.all([first?.stop(), second?.stop()]));

  /** Makes a server reject writes of every new session, like a standby. */
  async function refuseWrites(server: TestPostgres) {
    const operator = await openDatabase({ kind: 'postgres', url: server.url }, { log: silent });
    await operator.script('alter system set default_transaction_read_only = on');
    await operator.query('select pg_reload_conf()');
    await operator.close();
  }

  it('uses the first server that accepts writes, and fails over', async () => {
    await using db = await openDatabase({ kind: 'postgres', url: urlOf(first, second) }, { log: silent, sessions: 2 });
    expect(await portOf(db)).toBe(own(first));
    await db.script('create table t (id int)');
    await refuseWrites(first);
    // The open session fails at its next write; the next session is on the other server.
    const portAfterWrite = () => db.batch([{ text: 'create table if not exists u (id int)' }]).then(() => portOf(db));
    await expect.poll(() => portAfterWrite().catch(() => 0)).toBe(own(second));
    await second.crash();
    await expect(db.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    await second.start();
    await expect.poll(() => portOf(db).catch(() => 0)).toBe(own(second));
  });

  it('starts with the second server when the first is down or read-only, and fails when none accepts writes', async () => {
    // `first` rejects writes since the previous test.
    const afterReadOnly = await openDatabase({ kind: 'postgres', url: urlOf(first, second) }, { log: silent });
    expect(await portOf(afterReadOnly)).toBe(own(second));
    await afterReadOnly.close();
    const alone = openDatabase({ kind: 'postgres', url: urlOf(first) }, { log: silent });
    await expect(alone).rejects.toThrow('DATABASE_URL cannot be used. The database server does not accept writes');
    await first.crash();
    const afterDown = await openDatabase({ kind: 'postgres', url: urlOf(first, second) }, { log: silent });
    expect(await portOf(afterDown)).toBe(own(second));
    await afterDown.close();
  });
});

describe('a migration by another process', () => {
  it('keeps earlier prepared statements valid', async () => {
    const server = await startPostgres();
    const choice = { kind: 'postgres' as const, url: server.url };
    const [db, other] = await Promise.all([1, 2].map(() => openDatabase(choice, { log: silent, sessions: 3 })));
    try {
      await db!.script('create table t (id int); insert into t values (1)');
      const all = () => db!.query('select * from t');
      await Promise.all([all(), all(), all()]);
      await other!.script('alter table t add column name text');
      expect((await all()).rows).toEqual([{ id: 1, name: null }]);
      await other!.script('alter table t add column more text');
      // The driver resends no statement outside its transaction.
      await other!.script('create role visitor; grant visitor to postgres; grant select, insert on t to visitor');
      const insert = { text: 'insert into t (id) values (2) returning *, current_user::text as who' };
      const asVisitor = [{ text: 'set local role visitor' }, insert];
      await Promise.all([1, 2, 3].map(() => db!.batch(asVisitor)));
      await other!.script('delete from t where id = 2; alter table t add column most text');
      const row = { id: 2, name: null, more: null, most: null, who: 'visitor' };
      expect((await db!.batch(asVisitor))[1]!.rows).toEqual([row]);
      const transaction = db!.transaction((tx) => tx.query(insert.text));
      expect((await transaction).rows).toHaveLength(1);
      expect((await db!.query('select id from t where id = 2')).rows).toHaveLength(2);
      await other!.script('delete from t where id = 2; alter table t drop column most');
      expect((await db!.batch([{ text: 'select * from t' }]))[0]!.rows).toEqual([{ id: 1, name: null, more: null }]);
    } finally {
      await Promise.all([db!.close(), other!.close()]);
      await server.stop();
    }
  });
});

describe('the prepared statements of a PostgreSQL session', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('are at most 200, then the session is replaced (B2)', async () => {
    await using db = await openDatabase({ kind: 'postgres', url: server.url }, { log: silent, sessions: 1 });
    const stored: number[] = [];
    const sessions = new Set<number>();
    for (let queries = 0; queries < 650; queries += 50) {
      const [known] = await db.batch([
        { text: `select count(*)::int as n, pg_backend_pid() as pid from pg_prepared_statements /* ${queries} */` },
        ...Array.from({ length: 50 }, (_, n) => ({ text: `select 1 as "alias ${queries + n}"` })),
      ]);
      stored.push(known!.rows[0]!['n'] as number);
      sessions.add(known!.rows[0]!['pid'] as number);
    }
    expect(Math.max(...stored)).toBeGreaterThan(100);
    expect(Math.max(...stored)).toBeLessThanOrEqual(200);
    expect(sessions.size).toBeGreaterThan(2);
    // Also within one transaction, which cannot change its session.
    const counted = await db.transaction(async (tx) => {
      for (let n = 0; n < 300; n++) await tx.query(`select ${n}`);
      return tx.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements');
    });
    expect(counted.rows[0]!.n).toBeLessThanOrEqual(200);
    expect((await db.query('select $1::int as one', [1])).rows).toEqual([{ one: 1 }]);
  });
});
