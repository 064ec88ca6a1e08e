import fs from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silent, template, temporaryFolder } from '../../../../tests/database.ts';
import { GroupCommit } from './durable-node-fs.ts';
import { PGliteEngine } from './engine.ts';
import type { CommitSharing } from './engine-worker.ts';
import { engineOptions } from './settings.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = (await temporaryFolder({ onDisk: true })).folder;
  folder = join(parent, 'database');
  await cp(await template(), folder, { recursive: true });
});
const { openSync, writeSync, fsyncSync, closeSync, fstatSync } = fs;
const real = { openSync, writeSync, fsyncSync, closeSync, fstatSync };
afterEach(async () => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
  await rm(parent, { recursive: true, force: true });
});

/** Calls `onCall` with the result and the arguments of every call of a file system function. */
function watch(name: keyof typeof real, onCall: (result: unknown, args: unknown[]) => void) {
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      const result = (real[name] as (...args: unknown[]) => unknown)(...args);
      onCall(result, args);
      return result;
    },
  });
  syncBuiltinESMExports();
}

it('pending log is flushed before dependent data is written, truncated or removed, and before the log is closed (D2)', async () => {
  const groupCommit = new GroupCommit();
  const logs = new Map<number, { flushed: boolean }>();
  const early: string[] = [];
  watch('openSync', (descriptor, [path]) => {
    if (String(path).includes('pg_wal/')) logs.set(descriptor as number, { flushed: true });
    else logs.delete(descriptor as number);
  });
  watch('writeSync', (_, [descriptor]) => {
    const log = logs.get(descriptor as number);
    if (log) log.flushed = false;
    else if (groupCommit.isFlushPending) early.push('data was written');
  });
  watch('fsyncSync', (_, [descriptor]) => logs.set(descriptor as number, { flushed: true }));
  watch('closeSync', (_, [descriptor]) => {
    if (logs.get(descriptor as number)?.flushed === false) early.push('a log was closed');
  });
  const pg = await PGlite.create(engineOptions(folder, groupCommit));
  await pg.exec('create table t (id int); create table other (id int); insert into other values (0)');
  expect(groupCommit.isFlushPending).toBe(false);
  groupCommit.canDefer = true;
  for (const following of ['checkpoint', 'truncate other', 'drop table other', 'vacuum full t']) {
    await pg.exec('insert into t values (1)');
    expect(groupCommit.isFlushPending, following).toBe(true);
    await pg.exec(following);
    expect(groupCommit.isFlushPending, following).toBe(false);
  }
  // A full log segment is closed; a pending flush would have no descriptor.
  await pg.exec('insert into t values (2)');
  await pg.exec('select pg_switch_wal()');
  await pg.exec('insert into t values (3)');
  expect(() => groupCommit.flush()).not.toThrow();
  expect(groupCommit.isFlushPending).toBe(false);
  await pg.close();
  expect(early).toEqual([]);
});

it('after one failed fsync every later flush fails (D2)', async () => {
  const groupCommit = new GroupCommit();
  const pg = await PGlite.create(engineOptions(folder, groupCommit));
  await pg.exec('create table t (id int)');
  groupCommit.canDefer = true;
  await pg.exec('insert into t values (1)');
  fs.fsyncSync = () => {
    throw new Error('EIO');
  };
  syncBuiltinESMExports();
  // The file layer itself flushes here, before it truncates the table's file. It reports no error.
  await pg.exec('drop table t');
  fs.fsyncSync = fsyncSync;
  syncBuiltinESMExports();
  for (const repeated of [1, 2]) {
    expect(groupCommit.isFlushPending, `${repeated}`).toBe(true);
    expect(() => groupCommit.flush(), `${repeated}`).toThrow('EIO');
  }
});

it('a result is returned once its log is on disk: with the last commit of a group, after a delay, or before a read (D2)', async () => {
  const engine = new PGliteEngine(folder, silent);
  await engine.start();
  const run = (text: string, sharing?: CommitSharing) =>
    engine.call({ kind: 'run', statements: [{ text }], ...(sharing && { sharing }) }, 60_000);
  await run('create table t (id int)');
  const order: string[] = [];
  const write = async () => {
    await run('insert into t values (1)', 'followed');
    return { flushed: engine.flushed().then(() => order.push('flushed')) };
  };
  await write();
  await run('insert into t values (2)', 'last');
  await setImmediate();
  expect(order.splice(0)).toEqual(['flushed']);

  const alone = await write();
  expect(order).toEqual([]);
  await alone.flushed;

  await write();
  await run('select count(*) from generate_series(1, 3000000)');
  order.push('read');
  expect(order).toEqual(['flushed', 'flushed', 'read']);
  await engine.stop();
});

it('caches file sizes across all operations without kernel calls', async () => {
  const pg = await PGlite.create(engineOptions(folder));
  const rows = async (table: string) =>
    (await pg.query<{ rows: number }>(`select count(*)::int as rows from ${table}`)).rows[0]!.rows;
  await pg.exec('create table t (id int, words text)');
  const insert = `insert into t select id, repeat('a', 500) from generate_series(1, 1000) id`;
  for (const [sql, now] of [
    [insert, 1000],
    [insert, 2000],
    ['delete from t where id > 10', 20],
    ['vacuum t', 20],
    [insert, 1020],
    ['vacuum full t', 1020],
    ['checkpoint', 1020],
    ['truncate t', 0],
    [insert, 1000],
    [`begin; truncate t; ${insert}; ${insert}; rollback`, 1000],
    ['create index on t (words); cluster t using t_words_idx', 1000],
    ['alter table t add column n serial', 1000],
    [
      `create table other as select * from t; drop table t; alter table other rename to t; ${insert.replace('t select', 't (id, words) select')}`,
      2000,
    ],
  ] as const) {
    await pg.exec(sql);
    expect(await rows('t'), sql).toBe(now);
  }
  let calls = 0;
  watch('fstatSync', () => calls++);
  for (let time = 0; time < 10; time++) expect(await rows('t')).toBe(2000);
  expect(calls).toBe(0);
  await pg.close();
});
