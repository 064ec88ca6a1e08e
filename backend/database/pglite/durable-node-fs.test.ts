import fs from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silent, template, temporaryFolder } from '../../../tests/database.ts';
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

/** Has `seen` hear of each call of a function of the file system, its answer and what it was given. */
function watch(name: keyof typeof real, seen: (answer: unknown, given: unknown[]) => void) {
  Object.assign(fs, {
    [name]: (...given: unknown[]) => {
      const answer = (real[name] as (...given: unknown[]) => unknown)(...given);
      seen(answer, given);
      return answer;
    },
  });
  syncBuiltinESMExports();
}

it('D2: the log that waits is forced before whatever follows from it is written, cut or removed, and before it is closed', async () => {
  const forces = new GroupCommit();
  const logs = new Map<number, { forced: boolean }>();
  const early: string[] = [];
  watch('openSync', (descriptor, [path]) => {
    if (String(path).includes('pg_wal/')) logs.set(descriptor as number, { forced: true });
    else logs.delete(descriptor as number);
  });
  watch('writeSync', (_, [descriptor]) => {
    const log = logs.get(descriptor as number);
    if (log) log.forced = false;
    else if (forces.isFlushPending) early.push('data was written');
  });
  watch('fsyncSync', (_, [descriptor]) => logs.set(descriptor as number, { forced: true }));
  watch('closeSync', (_, [descriptor]) => {
    if (logs.get(descriptor as number)?.forced === false) early.push('a log was closed');
  });
  const pg = await PGlite.create(engineOptions(folder, forces));
  await pg.exec('create table t (id int); create table other (id int); insert into other values (0)');
  expect(forces.isFlushPending).toBe(false);
  forces.canDefer = true;
  for (const following of ['checkpoint', 'truncate other', 'drop table other', 'vacuum full t']) {
    await pg.exec('insert into t values (1)');
    expect(forces.isFlushPending, following).toBe(true);
    await pg.exec(following);
    expect(forces.isFlushPending, following).toBe(false);
  }
  // A segment of the log that is full is closed, and what waits for it would have no descriptor any more.
  await pg.exec('insert into t values (2)');
  await pg.exec('select pg_switch_wal()');
  await pg.exec('insert into t values (3)');
  expect(() => forces.flush()).not.toThrow();
  expect(forces.isFlushPending).toBe(false);
  await pg.close();
  expect(early).toEqual([]);
});

it('D2: a disk that did not keep one promise is believed nothing any more', async () => {
  const forces = new GroupCommit();
  const pg = await PGlite.create(engineOptions(folder, forces));
  await pg.exec('create table t (id int)');
  forces.canDefer = true;
  await pg.exec('insert into t values (1)');
  fs.fsyncSync = () => {
    throw new Error('EIO');
  };
  syncBuiltinESMExports();
  // Here the force is the file layer's own, before the table's file is cut; nobody hears of it there.
  await pg.exec('drop table t');
  fs.fsyncSync = fsyncSync;
  syncBuiltinESMExports();
  for (const again of [1, 2]) {
    expect(forces.isFlushPending, `${again}`).toBe(true);
    expect(() => forces.flush(), `${again}`).toThrow('EIO');
  }
});

it('D2: an answer is whole only when the log is on the disk: with the last of those who share, soon by itself, and at once for a reader', async () => {
  const engine = new PGliteEngine(folder, silent);
  await engine.start();
  const run = (text: string, shared?: CommitSharing) =>
    engine.call({ kind: 'run', statements: [{ text }], ...(shared && { sharing: shared }) }, 60_000);
  await run('create table t (id int)');
  const order: string[] = [];
  const write = async () => {
    await run('insert into t values (1)', 'followed');
    return { kept: engine.flushed().then(() => order.push('kept')) };
  };
  await write();
  await run('insert into t values (2)', 'last');
  await setImmediate();
  expect(order.splice(0)).toEqual(['kept']);

  const alone = await write();
  expect(order).toEqual([]);
  await alone.kept;

  await write();
  await run('select count(*) from generate_series(1, 3000000)');
  order.push('read');
  expect(order).toEqual(['kept', 'kept', 'read']);
  await engine.stop();
});

it('knows how long files are whatever happens to them, and asks the kernel once', async () => {
  const pg = await PGlite.create(engineOptions(folder));
  const rows = async (table: string) =>
    (await pg.query<{ rows: number }>(`select count(*)::int as rows from ${table}`)).rows[0]!.rows;
  await pg.exec('create table t (id int, words text)');
  const insert = `insert into t select id, repeat('a', 500) from generate_series(1, 1000) id`;
  for (const [sql, now] of [
    [insert, 1000],
    [insert, 2000],
    ['delete from t where id > 10', 20],
    // Cuts the file.
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
  let asked = 0;
  watch('fstatSync', () => asked++);
  for (let time = 0; time < 10; time++) expect(await rows('t')).toBe(2000);
  expect(asked).toBe(0);
  await pg.close();
});
