import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type TestDatabase } from '../../../tests/database.ts';
import { type Database, DatabaseError, DatabaseUnavailable, type Transaction } from './database.ts';

const UUID = '0a0a0a0a-0000-4000-8000-000000000001';

describe.each(engines)('a database on $name', ({ open }) => {
  let test: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    test = await open();
    db = test.db;
    await db.script(`create table notes (id int primary key, body text not null check (body <> 'bad'));
      create type mood as enum ('mad', 'calm');
      create domain rich as text`);
  });
  afterAll(() => test.end());

  const count = async () => (await db.query<{ count: number }>('select count(*) from notes')).rows[0]!.count;

  it('reads the same JavaScript values on both engines', async () => {
    const { rows } = await db.query(`select 9007199254740991::int8 as big, 12.50::numeric(12,2) as money, true as yes,
      '2026-11-21 10:00:00.5+00'::timestamptz as at, '2026-11-21'::date as day, '{"a":[1]}'::jsonb as doc, '[1]'::json as list,
      '\\x00ff'::bytea as bytes, array['a','b,"c'] as words, array[1,2]::int8[] as numbers, '{}'::uuid[] as nothing,
      array[null,'x'] as holes, null as none, '${UUID}'::uuid as id, 1.5::float8 as half, 'infinity'::timestamptz as never,
      array['{"a": 1}'::jsonb] as docs, 'mad'::mood as mood`);
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        money: '12.50',
        yes: true,
        at: new Date('2026-11-21T10:00:00.500Z'),
        day: '2026-11-21',
        doc: { a: [1] },
        list: [1],
        bytes: new Uint8Array([0, 255]),
        words: ['a', 'b,"c'],
        numbers: [1, 2],
        nothing: [],
        holes: [null, 'x'],
        none: null,
        id: UUID,
        half: 1.5,
        never: 'infinity',
        docs: [{ a: 1 }],
        mood: 'mad',
      },
    ]);
    expect(rows[0]!['bytes']!.constructor).toBe(Uint8Array);
  });

  it('writes JavaScript values as the type that the statement expects', async () => {
    const when = new Date('2026-11-21T10:00:00.123Z');
    const { rows } = await db.query(
      `select $1::jsonb as doc, $2::uuid[] as ids, $3::text[] as words, $4::bytea as bytes, $5::timestamptz as at,
        $6::bool as yes, $7::int8 as big, $8::numeric as money, $9::jsonb as list, $10::jsonb as text, $11::int[] as none,
        $12::mood as mood, $13::rich as rich, $14::mood[] as moods, $15::bool[] as flags, $16::text as nothing`,
      [
        { a: { b: ['c', null, 1.5] }, quote: '"\\' },
        [UUID],
        ['plain', 'with "quotes", \\ and {braces}', 'NULL', ''],
        new Uint8Array([0, 92, 255]),
        when,
        true,
        9007199254740991,
        '12.50',
        [{ a: 1 }, { a: 2 }],
        'just text',
        [],
        'calm',
        '<b>mad</b>',
        ['mad', 'calm'],
        [true, false],
        null,
      ],
    );
    expect(rows[0]).toEqual({
      doc: { a: { b: ['c', null, 1.5] }, quote: '"\\' },
      ids: [UUID],
      words: ['plain', 'with "quotes", \\ and {braces}', 'NULL', ''],
      bytes: new Uint8Array([0, 92, 255]),
      at: when,
      yes: true,
      big: 9007199254740991,
      money: '12.50',
      list: [{ a: 1 }, { a: 2 }],
      text: 'just text',
      none: [],
      mood: 'calm',
      rich: '<b>mad</b>',
      moods: '{mad,calm}',
      flags: [true, false],
      nothing: null,
    });
  });

  it('counts the rows that were written, not those that were read', async () => {
    const written = await db.query("insert into notes values (1, 'one'), (2, 'two') returning id");
    expect(written).toMatchObject({ rows: [{ id: 1 }, { id: 2 }], affected: 2 });
    expect(await db.query('select * from notes')).toMatchObject({ affected: 0 });
    expect(await db.query('delete from notes')).toMatchObject({ rows: [], affected: 2 });
  });

  it('returns SQLSTATE, detail and constraint of a rejected statement', async () => {
    await db.query("insert into notes values (1, 'one')");
    const error = await db.query("insert into notes values (1, 'again')").catch((error) => error);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toMatchObject({ code: '23505', constraint: 'notes_pkey', detail: 'Key (id)=(1) already exists.' });
    for (const [code, text, ...values] of [
      ['23514', "insert into notes values (2, 'bad')"],
      ['42P01', 'select * from nowhere'],
      ['22P02', "select 'x'::int"],
      ['22021', 'select $1::text', 'a\0b'],
      ['22021', 'select 1 \0'],
      ['42601', 'select 1; select 2'],
    ] as [string, string, ...string[]][])
      await expect(db.query(text, values), text).rejects.toMatchObject({ code });
    await expect(db.query('select $1::text')).rejects.toBeInstanceOf(DatabaseError);
    await db.query('delete from notes');
  });

  it('commits a transaction whose work resolves, and rolls back one whose work throws', async () => {
    const body = await db.transaction(async (tx) => {
      await tx.query("insert into notes values (1, 'kept')");
      return (await tx.query<{ body: string }>('select body from notes')).rows[0]!.body;
    });
    expect(body).toBe('kept');
    const undone = db.transaction(async (tx) => {
      await tx.query('delete from notes');
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await count()).toBe(1);
  });

  it('rejects the commit of a transaction with a failed statement', async () => {
    const hidden = db.transaction(async (tx) => {
      await tx.query("insert into notes values (5, 'five')");
      await tx.query('select nonsense').catch(() => {});
    });
    await expect(hidden).rejects.toMatchObject({ code: '25P02' });
    expect(await count()).toBe(1);
  });

  it('continues after a rollback to a savepoint', async () => {
    await db.transaction(async (tx) => {
      await tx.query('savepoint before');
      await tx.query("insert into notes values (1, 'twice')").catch(() => {});
      await tx.query('rollback to savepoint before');
      await tx.query("insert into notes values (3, 'three')");
    });
    expect(await count()).toBe(2);
  });

  it('rejects queries of an ended transaction', async () => {
    let stored: { query(text: string): Promise<unknown> } | undefined;
    await db.transaction(async (tx) => {
      stored = tx;
    });
    await expect(stored!.query("insert into notes values (9, 'late')")).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  it('rejects a query outside the open transaction', async () => {
    await expect(db.transaction(() => db.query('select 1'))).rejects.toThrow('inside a transaction');
  });

  it('runs a batch atomically', async () => {
    await db.query('delete from notes');
    const insert = { text: "insert into notes values ($1, 'one'), ($2, 'two')", values: [1, 2] };
    const results = await db.batch([insert, { text: 'select count(*) from notes' }]);
    expect(results).toMatchObject([{ affected: 2 }, { rows: [{ count: 2 }] }]);
    const texts = ['delete from notes', "insert into notes values (3, 'bad')", "insert into notes values (4, 'four')"];
    const broken = db.batch(texts.map((text) => ({ text })));
    await expect(broken).rejects.toMatchObject({ code: '23514' });
    expect(await count()).toBe(2);
  });

  it('rejects a batch that violates a deferred constraint', async () => {
    await db.script('create table tails (id int references notes deferrable initially deferred)');
    await expect(db.batch([{ text: 'insert into tails values (99)' }])).rejects.toMatchObject({ code: '23503' });
    expect((await db.query('select * from tails')).rows).toEqual([]);
    await db.script('drop table tails');
  });

  it('rejects writes in a read-only batch or transaction', async () => {
    const options = { readOnly: true };
    await expect(db.batch([{ text: 'delete from notes' }], options)).rejects.toMatchObject({ code: '25006' });
    const deletion = db.transaction((tx) => tx.query('delete from notes'), options);
    await expect(deletion).rejects.toMatchObject({ code: '25006' });
    expect(await count()).toBe(2);
  });

  it('runs setup statements at the start of a transaction', async () => {
    const options = { setupStatements: [{ text: "select set_config('madhouse.test', $1, true)", values: ['here'] }] };
    const seen = await db.transaction((tx) => tx.query("select current_setting('madhouse.test') as seen"), options);
    expect(seen.rows).toEqual([{ seen: 'here' }]);
    const after = await db.query("select current_setting('madhouse.test', true) as seen");
    expect(after.rows[0]!['seen']).not.toBe('here');
    const refused = db.transaction(async () => 'never', { setupStatements: [{ text: 'select nonsense' }] });
    await expect(refused).rejects.toMatchObject({ code: '42703' });
  });

  it('sees the current columns of a table that a script changed', async () => {
    await db.script('create table shapes (a int); insert into shapes values (1)');
    const all = () => db.query('select * from shapes').then(({ rows }) => rows);
    expect(await all()).toEqual([{ a: 1 }]);
    await db.script("alter table shapes add b text default 'new'");
    expect(await all()).toEqual([{ a: 1, b: 'new' }]);
    await db.transaction((tx) => tx.query('alter table shapes drop a'));
    expect(await all()).toEqual([{ b: 'new' }]);
    await db.script('drop table shapes');
  });

  it('rolls back a script that fails inside its own transaction', async () => {
    const script = "begin; insert into notes values (7, 'x'); select nonsense; commit";
    await expect(db.script(script)).rejects.toMatchObject({ code: '42703' });
    expect(await count()).toBe(2);
    await db.script("insert into notes values (8, 'kept')");
    expect(await count()).toBe(3);
  });

  it('delivers notifications of committed transactions only', async () => {
    const payloads: string[] = [];
    await db.listen('site changed', (payload) => payloads.push(payload));
    await db.transaction((tx) => tx.query(`select pg_notify('site changed', 'undone'), 1/0`)).catch(() => {});
    await db.batch([{ text: "select pg_notify('site changed', $1)", values: ['a "payload"'] }]);
    await expect.poll(() => payloads).toEqual(['a "payload"']);
  });

  it('cancels a statement and a transaction after their timeout', async () => {
    const endless = { text: 'select count(*) from generate_series(1, 1e12)' };
    await expect(db.batch([endless], { timeoutMs: 300 })).rejects.toMatchObject({ code: '57014' });
    await expect.poll(() => count().catch(() => 0)).toBe(3);
    const idle = async (tx: Transaction) => {
      await tx.query("insert into notes values (20, 'idle')");
      await sleep(2_000);
      await tx.query('select 1');
    };
    await expect(db.transaction(idle, { timeoutMs: 300 })).rejects.toMatchObject({ code: '57014' });
    expect(await count()).toBe(3);
  });
});
