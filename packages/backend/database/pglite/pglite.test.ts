import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { cp, mkdir, open as openFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SHORT_LIVED } from '../../../../tests/cpu-time.ts';
import { silent, template, temporaryFolder, testOptions } from '../../../../tests/database.ts';
import type { Database } from '../database.ts';
import { type OpenOptions, openDatabase } from '../open-database.ts';
import { maintain } from './maintenance.ts';
import { engineOptions } from './settings.ts';
import { EngineFault, Wire } from './wire.ts';

let parent: string;
let folder: string;
const opened: Database[] = [];
// Creating a database without a template takes seconds.
const PATIENT = { timeout: 60_000 };
const PAGE = 8192;
beforeEach(async () => {
  parent = (await temporaryFolder({ onDisk: true })).folder;
  folder = join(parent, 'database');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  // The child of a killed start may still be writing.
  await rm(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});
const { fsyncSync } = fs;
afterEach(() => beforeFsync(() => {}));

/** Calls `before` before every fsync until the end of the test. */
function beforeFsync(before: () => void): void {
  fs.fsyncSync = (descriptor) => {
    before();
    fsyncSync(descriptor);
  };
  syncBuiltinESMExports();
}

const open = async (options: Partial<OpenOptions> = {}) => {
  const settings = { ...testOptions, template: await template(), ...options };
  const db = await openDatabase({ kind: 'embedded', folder }, settings);
  opened.push(db);
  return db;
};

const count = async (db: Database) => (await db.query<{ n: number }>('select count(*) as n from t')).rows[0]!.n;

/** Another process that opens the folder and runs `body` with `db`; what it prints is read line by line. */
function anotherProcess(body: string, options = '{ log: pino({ level: "silent" }) }', path = folder) {
  const script = `import { pino } from 'pino';
    import { openDatabase } from ${JSON.stringify(new URL('../open-database.ts', import.meta.url).href)};
    const print = (text) => process.stdout.write(text + '\\n');
    try {
      const db = await openDatabase({ kind: 'embedded', folder: ${JSON.stringify(path)} }, ${options});
      ${body}
    } catch (error) { print('ERROR ' + error.message); process.exit(1); }`;
  const args = [...SHORT_LIVED, '--no-warnings', '--input-type=module-typescript', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  return { child, printed: () => printed, lines: () => printed.split('\n').slice(0, -1) };
}

describe('a commit on the embedded engine', () => {
  it('survives SIGKILL at any time, which unlocks the folder: no acknowledged write is lost, none is partial', async () => {
    const writer = anotherProcess(`await db.script('create table t (id int, half int)');
    for (let id = 1; ; id++) {
      await db.batch([{ text: 'insert into t values ($1, 1)', values: [id] }, { text: 'insert into t values ($1, 2)', values: [id] }]);
      print(String(id));
    }`);
    await expect.poll(() => writer.lines().length, PATIENT).toBeGreaterThan(40);
    writer.child.kill('SIGKILL');
    await once(writer.child, 'exit');
    const answered = Number(writer.lines().at(-1));
    const db = await open();
    const grouped = 'select id, count(*) as n from t group by id order by id';
    const { rows } = await db.query<{ id: number; n: number }>(grouped);
    expect(rows.length).toBeGreaterThanOrEqual(answered);
    expect(rows.every(({ id, n }, index) => id === index + 1 && n === 2)).toBe(true);
  });

  it('recovers from a half-written page and log record', async () => {
    const db = await open();
    await db.script(
      `create table t (id int primary key, body text);
       insert into t select i, repeat('wide ', 100) from generate_series(1, 200) i;
       checkpoint;`,
    );
    await db.query('update t set id = 201 where id = 200');
    const paths = "select pg_relation_filepath('t') as table, pg_relation_filepath('t_pkey') as index";
    const place = await db.query<{ table: string; index: string }>(paths);
    const end = 'select file_name as name, file_offset as at from pg_walfile_name_offset(pg_current_wal_flush_lsn())';
    const { rows: log } = await db.query<{ name: string; at: number }>(end);
    const killed = join(parent, 'killed');
    await cp(folder, killed, { recursive: true });
    for (const path of Object.values(place.rows[0]!)) {
      const file = await openFile(join(killed, path), 'r+');
      const size = (await file.stat()).size || PAGE;
      // A torn page: the second half of the last page is arbitrary.
      await file.write(Buffer.alloc(PAGE / 2, 0xee), 0, PAGE / 2, size - PAGE / 2);
      await file.close();
    }
    // Half of an unflushed record follows the last flushed one.
    const file = await openFile(join(killed, 'pg_wal', log[0]!.name), 'r+');
    await file.write(Buffer.alloc(PAGE / 2, 0xee), 0, PAGE / 2, log[0]!.at);
    await file.close();
    const repeated = await openDatabase({ kind: 'embedded', folder: killed }, { log: silent });
    opened.push(repeated);
    expect(await count(repeated)).toBe(200);
    const found = await repeated.query('select id from t where id in (1, 200, 201) order by id');
    expect(found.rows).toEqual([{ id: 1 }, { id: 201 }]);
    await repeated.query("insert into t values (202, 'continues')");
  });
});

const identifier = async (cluster: string) =>
  (await readFile(join(cluster, 'global', 'pg_control'))).readBigUInt64LE(0);

describe('a database folder', () => {
  it('created without a template, is private at the first start and opens again', async () => {
    const first = await openDatabase({ kind: 'embedded', folder }, { log: silent, template: null });
    expect(await identifier(folder)).not.toBe(await identifier(await template()));
    await first.script('create table t (id int); insert into t values (1)');
    await first.close();
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect(await readdir(parent)).toEqual(['database', 'database.lockfile']);
    expect(await count(await open())).toBe(1);
  });

  it('is created again after the first start was killed during creation', async () => {
    const killed = anotherProcess(`print('opened')`, '{ log: pino({ level: "silent" }), template: null }');
    const isCreating = async () => (await readdir(parent)).some((name) => name.includes('.new-'));
    await expect.poll(isCreating, PATIENT).toBe(true);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(await readdir(parent)).not.toContain('database');
    const db = await open();
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('is left unchanged when it has other content or another PostgreSQL version', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'letter.txt'), 'dear');
    await expect(open()).rejects.toThrow('contains no database');
    await writeFile(join(folder, 'PG_VERSION'), '12\n');
    await expect(open()).rejects.toThrow('belongs to PostgreSQL 12');
    expect(await readdir(folder)).toEqual(['PG_VERSION', 'letter.txt']);
  });

  it('that cannot be recovered is rejected with instructions, and its log is copied (M3)', async () => {
    await open().then((db) => db.close());
    const log = join(folder, 'pg_wal');
    const segments = (await readdir(log)).filter((name) => name.length === 24);
    for (const name of segments) await writeFile(join(log, name), Buffer.alloc(1024 * 1024));
    // Not shut down cleanly, as after a kill.
    const control = await readFile(join(folder, 'global', 'pg_control'));
    control.writeUInt32LE(6, 16);
    await writeFile(join(folder, 'global', 'pg_control'), control);
    await expect(open()).rejects.toThrow(/^The database in .* cannot be opened: .*restore a backup of DATA_DIR\.$/);
    expect(await readdir(join(parent, 'database.before-recovery', 'pg_wal'))).toEqual(expect.arrayContaining(segments));
  });
});

describe('the engine itself', () => {
  let own: Awaited<ReturnType<typeof temporaryFolder>>;
  let pg: PGlite;
  beforeAll(async () => {
    own = await temporaryFolder({ onDisk: true });
    const path = join(own.folder, 'database');
    await cp(await template(), path, { recursive: true });
    pg = await PGlite.create(engineOptions(path));
    await pg.exec('create table t (id int)');
  });
  afterAll(async () => {
    await pg?.close().catch(() => {});
    await own?.remove();
  });

  it('writes a commit to the disk once, before the result', async () => {
    let fsyncs = 0;
    beforeFsync(() => fsyncs++);
    const before = fsyncs;
    for (let id = 0; id < 10; id++) await pg.query('insert into t values ($1)', [id]);
    expect(fsyncs - before).toBe(10);
    await pg.query('select * from t');
    expect(fsyncs - before).toBe(10);
  });

  it('a script without a response counts as an engine fault (C17, TM-46)', async () => {
    const wire = new Wire(pg, () => {});
    expect(await wire.script('create table s (id int)')).toMatchObject({ results: [{ command: 'CREATE TABLE' }] });
    const original = pg.execProtocolRawStream.bind(pg);
    // As with a stack overflow: the call succeeds without a response.
    pg.execProtocolRawStream = (message, options) => original(message, { ...options, onRawData: () => {} });
    await expect(wire.script('create table u (id int)')).rejects.toBeInstanceOf(EngineFault);
    pg.execProtocolRawStream = original;
  });

  it('rejects a commit whose fsync fails, and counts as failed', async () => {
    beforeFsync(() => {
      throw new Error('EIO');
    });
    const wire = new Wire(pg, () => {});
    await expect(wire.run([{ text: 'insert into t values (1)' }])).rejects.toBeInstanceOf(EngineFault);
  });
});

describe('an open database', () => {
  let own: Awaited<ReturnType<typeof temporaryFolder>>;
  let path: string;
  let db: Database;
  beforeAll(async () => {
    own = await temporaryFolder({ onDisk: true });
    path = join(own.folder, 'database');
    // A copy on a busy disk may take longer than the default timeout of the queue.
    db = await openDatabase({ kind: 'embedded', folder: path }, { ...testOptions, template: await template() });
  });
  afterAll(async () => {
    await db?.close();
    await own?.remove();
  });

  it('is opened with fsync on', async () => {
    const show = async (name: string) => Object.values((await db.query(`show ${name}`)).rows[0]!)[0];
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'])
      expect(await show(name), name).toBe('on');
    expect(await show('wal_sync_method')).toBe('fsync');
    expect(engineOptions(path).startParams).not.toContain('-F');
  });

  it('is locked under every path that leads to it', async () => {
    const folder = join(own.folder, '.', 'x', '..', 'database');
    const repeated = openDatabase({ kind: 'embedded', folder }, { log: silent });
    await expect(repeated).rejects.toThrow('in use');
  });

  it('maintenance limits the log and updates the planner statistics', async () => {
    await db.script('create table large (id int primary key, body text); create table still (id int)');
    await db.query('insert into large select i, repeat(md5(i::text), 60) from generate_series(1, 20000) i');
    await db.query('delete from large where id % 2 = 0');
    const sizeQuery = 'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int8 as n from pg_control_checkpoint()';
    const logBytes = async () => (await db.query<{ n: number }>(sizeQuery)).rows[0]!.n;
    const before = await logBytes();
    await maintain(db);
    expect(await logBytes()).toBeLessThan(before / 4);
    const { rows } = await db.query(
      "select reltuples::int as n, relname from pg_class where relname in ('large', 'still') order by relname",
    );
    expect(rows).toEqual([
      { relname: 'large', n: 10_000 },
      { relname: 'still', n: -1 },
    ]);
    const counted = await db.query("select n_dead_tup as dead from pg_stat_user_tables where relname = 'large'");
    expect(counted.rows).toEqual([{ dead: 0 }]);
  });

  it('maintenance checkpoints after some minutes, but not without changes (M3)', async () => {
    const checkpoint = async () =>
      (await db.query<{ at: string }>('select checkpoint_lsn::text as at from pg_control_checkpoint()')).rows[0]!.at;
    // The checkpoint of the template may be days old.
    await db.script('create table m (id int); checkpoint');
    await db.query('insert into m values (1)');
    const opened = await checkpoint();
    await maintain(db);
    expect(await checkpoint(), 'the last one is only seconds old').toBe(opened);
    await maintain(db, 0);
    const written = await checkpoint();
    expect(written).not.toBe(opened);
    await maintain(db, 0);
    await maintain(db, 0);
    expect(await checkpoint(), 'nothing changed').toBe(written);
    await db.query('update m set id = 2');
    await maintain(db, 0);
    expect(await checkpoint()).not.toBe(written);
  });

  it('can be copied while in use, and the copy is consistent', async () => {
    await db.script('create table t (id int primary key, body text); create table twin (id int primary key)');
    let [written, over] = [0, false];
    const write = async () => {
      await db.batch([
        { text: `insert into t values ($1, repeat('wide ', 400))`, values: [written + 1] },
        { text: 'insert into twin values ($1)', values: [written + 1] },
        { text: `update t set body = body || '.' where id % 7 = $1::int % 7`, values: [written] },
      ]);
      written++;
    };
    await write();
    const writing = (async () => {
      while (!over) await write();
    })();
    const before = written;
    const copy = join(parent, 'copy');
    await db.copyFolder!(copy);
    const after = written;
    over = true;
    await writing;
    expect(after, 'written while it was copied').toBeGreaterThan(before);
    const opening = await openDatabase({ kind: 'embedded', folder: copy }, { log: silent });
    opened.push(opening);
    const { rows } = await opening.query<{ ids: number[]; twins: number[]; first: number }>(
      `select array_agg(id order by id) as ids, (select array_agg(id order by id) from twin) as twins,
         min(length(body)) filter (where id = 1) as first from t`,
    );
    const { ids, twins, first } = rows[0]!;
    expect(ids).toEqual(Array.from(ids, (_, at) => at + 1));
    expect(twins).toEqual(ids);
    // Every seventh write adds a point to the first row.
    expect(first).toBe(2000 + Math.floor((ids.length + 5) / 7));
    expect(ids.length).toBeGreaterThanOrEqual(before);
    expect(ids.length).toBeLessThanOrEqual(after + 1);
    expect(await count(db)).toBe(written);
  });
});
