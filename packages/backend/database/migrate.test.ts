import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engines, silent, type TestDatabase, temporaryFolder } from '../../../tests/database.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';

describe.each(engines)('migrations on $name', ({ open, name }) => {
  let test: TestDatabase;
  let files: Awaited<ReturnType<typeof temporaryFolder>>;
  let options: MigrateOptions;
  beforeAll(async () => {
    test = await open();
  });
  afterAll(() => test.end());
  beforeEach(async () => {
    await test.db.script(
      'drop schema if exists ground, more, supabase_migrations cascade; drop schema public cascade; create schema public',
    );
    for (const copy of await copies()) await rm(join(test.db.folder!, '..', copy), { recursive: true });
    files = await temporaryFolder();
    const { folder } = files;
    options = { platformDir: join(folder, 'platform'), migrationsDir: join(folder, 'migrations'), log: silent };
    await mkdir(options.platformDir);
    await mkdir(options.migrationsDir);
    await platform('010-ground.sql', 'create schema if not exists ground;');
    await migration('20260101000000_first.sql', 'create table public.first (id int primary key);');
  });
  afterEach(() => files.remove());

  const platform = (file: string, sql: string) => writeFile(join(options.platformDir, file), sql);
  const migration = (file: string, sql: string) => writeFile(join(options.migrationsDir, file), sql);
  const value = async (text: string) => Object.values((await test.db.query(text)).rows[0]!)[0];
  const ledger = () =>
    value("select string_agg(version, ',' order by version) from supabase_migrations.schema_migrations");
  const exists = (relation: string) => value(`select to_regclass('${relation}') is not null`);

  const copies = async () =>
    test.db.folder
      ? (await readdir(join(test.db.folder, '..'))).filter((entry) => entry.startsWith('database.before-'))
      : [];

  it('run once each, ordered by name, after the platform files', async () => {
    await migration('20260102000000_second.sql', 'insert into first values (2); create table ground.second (id int);');
    await migrate(test.db, options);
    await migrate(test.db, options);
    expect(await value('select count(*) from first')).toBe(1);
    expect(await ledger()).toBe('20260101000000,20260102000000');
  });

  it('are recorded like those of the Supabase CLI', async () => {
    await migration('20260102000000_two_things.sql', "-- why\nselect 'a;b';\n\nselect $$c;d$$;\n");
    await migrate(test.db, options);
    const sql = "select name, statements from supabase_migrations.schema_migrations where version = '20260102000000'";
    const { rows } = await test.db.query(sql);
    expect(rows).toEqual([{ name: 'two_things', statements: ["-- why\nselect 'a;b'", 'select $$c;d$$'] }]);
  });

  it('roll back a failed file, and name the file and the statement', async () => {
    await migrate(test.db, options);
    await migration('20260102000000_good.sql', 'create table good (id int);');
    const bad = 'create table half (id int);\n\ninsert into nowhere values (1);\nselect 1;';
    await migration('20260103000000_bad.sql', bad);
    await expect(migrate(test.db, options)).rejects.toThrow(
      '20260103000000_bad.sql failed at step 2 of 3 (line 3: insert into nowhere values (1)): relation "nowhere" does not exist (42P01). The file was rolled back.',
    );
    expect(await exists('public.half')).toBe(false);
    expect(await ledger()).toBe('20260101000000,20260102000000');
    await migration('20260103000000_bad.sql', 'create table whole (id int);');
    await migrate(test.db, options);
    expect(await exists('public.whole')).toBe(true);
  });

  it('reject an edited migration', async () => {
    await migrate(test.db, options);
    await migration('20260101000000_first.sql', 'create table public.first (id bigint primary key);');
    await migration('20260102000000_second.sql', 'create table second (id int);');
    const message = /^20260101000000_first.sql was edited .*Nothing was changed.$/;
    await expect(migrate(test.db, options)).rejects.toThrow(message);
    expect(await exists('public.second')).toBe(false);
  });

  it('ignore changed line endings', async () => {
    await migration('20260102000000_lines.sql', 'select 1;\nselect 2;\n');
    await migrate(test.db, options);
    await migration('20260102000000_lines.sql', 'select 1;\r\nselect 2;\r\n');
    await migrate(test.db, options);
  });

  it('reject a database with unknown migrations', async () => {
    await migration('20260102000000_future.sql', 'create table future (id int);');
    await migrate(test.db, options);
    await rm(join(options.migrationsDir, '20260102000000_future.sql'));
    await platform('020-more.sql', 'create schema more;');
    await expect(migrate(test.db, options)).rejects.toThrow('20260102000000_future, which this version does not know');
    expect(await value("select to_regnamespace('more') is not null")).toBe(false);
  });

  it('accept a newer database that was only expanded, and log a warning', async () => {
    await migrate(test.db, options);
    await migration('20260102000000_more.sql', '-- expand\ncreate table more (id int);');
    await platform('020-more.sql', '-- expand\n-- second line\ncreate schema more;');
    expect(await migrate(test.db, options)).toEqual(['020-more.sql', '20260102000000_more.sql']);
    // The previous release.
    await rm(join(options.migrationsDir, '20260102000000_more.sql'));
    await rm(join(options.platformDir, '020-more.sql'));
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
    expect(await migrate(test.db, { ...options, log })).toEqual([]);
    expect(await migrate(test.db, { ...options, log, canChange: false })).toEqual([]);
    expect(warnings).toHaveLength(2);
    const newer = /"newer":\["020-more.sql","20260102000000_more"\].*migrated by a newer, compatible version/;
    expect(warnings[0]).toMatch(newer);
    // Neither is newer when each has a migration that the other lacks.
    await migration('20260103000000_own.sql', '-- expand\ncreate table own (id int);');
    await expect(migrate(test.db, options)).rejects.toThrow('which this version does not know');
    await rm(join(options.migrationsDir, '20260103000000_own.sql'));
    await migration('20260104000000_less.sql', '-- contract\ndrop table first;');
    await migration('20260102000000_more.sql', '-- expand\ncreate table more (id int);');
    await platform('020-more.sql', '-- expand\n-- second line\ncreate schema more;');
    await migrate(test.db, options);
    await rm(join(options.migrationsDir, '20260104000000_less.sql'));
    await expect(migrate(test.db, options)).rejects.toThrow('20260104000000_less, which this version does not know');
  });

  it('reject unknown platform files that are not marked as expand', async () => {
    await platform('020-more.sql', 'create schema more;');
    await migrate(test.db, options);
    await rm(join(options.platformDir, '020-more.sql'));
    await expect(migrate(test.db, options)).rejects.toThrow('020-more.sql, which this version does not know');
  });

  it('leave a platform file that a newer version changed, and reject it unless it is marked as expand', async () => {
    await migrate(test.db, options);
    await platform('010-ground.sql', '-- expand\ncreate schema if not exists ground; create schema more;');
    expect(await migrate(test.db, options)).toEqual(['010-ground.sql']);
    await platform('010-ground.sql', 'create schema if not exists ground;');
    expect(await migrate(test.db, options)).toEqual([]);
    await platform('010-ground.sql', 'create schema if not exists ground; drop schema more;');
    await migrate(test.db, { ...options, backup: async () => {} });
    await platform('010-ground.sql', 'create schema if not exists ground;');
    await expect(migrate(test.db, options)).rejects.toThrow('010-ground.sql, which this version does not know');
    expect(await value("select to_regnamespace('more') is null")).toBe(true);
  });

  it('change nothing when canChange is false, and list the missing migrations', async () => {
    const never = { ...options, canChange: false };
    await expect(migrate(test.db, never)).rejects.toThrow(
      /^The database is older than this version: 010-ground\.sql and 1 more have not run on it[^\n]*npm run migrate[^\n]*$/,
    );
    expect(await exists('supabase_migrations.platform')).toBe(false);
    await migrate(test.db, options);
    expect(await migrate(test.db, never)).toEqual([]);
    await migration('20260102000000_second.sql', 'create table second (id int);');
    await expect(migrate(test.db, never)).rejects.toThrow('20260102000000_second.sql has not run on it');
    expect(await exists('public.second')).toBe(false);
  });

  it('notify the schema cache after they ran', async () => {
    const payloads: string[] = [];
    await test.db.listen('pgrst', (payload) => payloads.push(payload));
    await migrate(test.db, options);
    await expect.poll(() => payloads).toEqual(['reload schema']);
    await migrate(test.db, options);
    await test.db.waitForNotifications();
    expect(payloads).toHaveLength(1);
  });

  it('reject a database from before 0.2, with instructions', async () => {
    await migration('20260102000000_second.sql', 'create table second (id int);');
    await migrate(test.db, options);
    for (const old of ['20260101000000_first.sql', '20260102000000_second.sql'])
      await rm(join(options.migrationsDir, old));
    await migration('20260201000000_rewritten.sql', 'create table rewritten (id int);');
    await platform('020-more.sql', 'create schema more;');
    await expect(migrate(test.db, options)).rejects.toThrow(
      /^The database was made before version 0\.2 .* ends with 20260102000000_second, .* begin with 20260201000000_rewritten\. Nothing was changed\. [^\n]*npm run archive -- make FILE[^\n]* new DATA_DIR or database \(npm run archive -- load FILE\)\.$/,
    );
    expect(await exists('public.rewritten')).toBe(false);
    expect(await value("select to_regnamespace('more') is not null")).toBe(false);
    expect(await ledger()).toBe('20260101000000,20260102000000');
  });

  it('run a changed platform file again, and those after it', async () => {
    const count = 'create table if not exists ground.runs (at int); insert into ground.runs values (1);';
    await platform('020-count.sql', count);
    await migrate(test.db, options);
    await migrate(test.db, options);
    expect(await value('select count(*) from ground.runs')).toBe(1);
    await platform('010-ground.sql', 'create schema if not exists ground; create schema if not exists more;');
    await migrate(test.db, options);
    expect(await value('select count(*) from ground.runs')).toBe(2);
  });

  it('reset role and search path after each file', async () => {
    await migration('20260102000000_path.sql', "set search_path = ''; set role pg_monitor;");
    await migration('20260103000000_next.sql', 'create table plain (id int);');
    await migrate(test.db, options);
    expect(await exists('public.plain')).toBe(true);
  });

  it('run once when several servers start concurrently', async () => {
    if (name !== 'PostgreSQL') return;
    await migration('20260102000000_slow.sql', 'select pg_sleep(0.3); create table slow (id int);');
    const choice = { kind: 'postgres' as const, url: test.url! };
    const rivals = await Promise.all([1, 2, 3].map(() => openDatabase(choice, { log: silent })));
    await Promise.all(rivals.map((db) => migrate(db, options)));
    await Promise.all(rivals.map((db) => db.close()));
    expect(await ledger()).toBe('20260101000000,20260102000000');
  });

  it('copy an embedded database folder before they change it, but not a new one', async () => {
    if (!test.db.folder) return;
    await migrate(test.db, options);
    expect(await copies()).toEqual([]);
    await migration('20260102000000_second.sql', 'drop table first;');
    await migrate(test.db, options);
    const [copy] = await copies();
    expect(copy).toMatch(/^database\.before-20260102000000-\d{14}$/);
    const before = await openDatabase({ kind: 'embedded', folder: join(test.db.folder, '..', copy!) }, { log: silent });
    const { rows } = await before.query("select to_regclass('public.first') is not null as there");
    expect(rows).toEqual([{ there: true }]);
    await before.close();
  });
});
