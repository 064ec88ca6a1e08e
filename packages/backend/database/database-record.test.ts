import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embedded, postgresql, silent, type TestDatabase, temporaryFolder } from '../../../tests/database.ts';
import { recordDatabase, requireDatabaseFolder, requireRecordedDatabase } from './database-record.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';

describe('the database record in DATA_DIR (M3)', () => {
  let test: TestDatabase;
  let place: Awaited<ReturnType<typeof temporaryFolder>>;
  let dataDir: string;
  let migrations: MigrateOptions;
  beforeEach(async () => {
    test = await postgresql.open();
    place = await temporaryFolder({ onDisk: true });
    dataDir = join(place.folder, 'data');
    const { folder } = place;
    migrations = { platformDir: join(folder, 'platform'), migrationsDir: join(folder, 'migrations'), log: silent };
    for (const folder of [dataDir, migrations.platformDir, migrations.migrationsDir]) await mkdir(folder);
    await writeFile(join(migrations.migrationsDir, '20260101000000_first.sql'), 'create table first (id int);');
    await writeFile(join(migrations.migrationsDir, '20260102000000_second.sql'), 'create table second (id int);');
  });
  afterEach(async () => {
    await test.end();
    await place.remove();
  });

  const migrateAndRecord = async () => {
    await migrate(test.db, migrations);
    await recordDatabase(test.db, dataDir);
  };
  const readRecord = () => readFile(join(dataDir, 'database.json'), 'utf8');

  it('contains the id and the newest migration, and a later start with the same database succeeds', async () => {
    await migrateAndRecord();
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(await readRecord())).toMatchObject({ id, newestMigration: '20260102000000' });
    await requireRecordedDatabase(test.db, dataDir);
    expect(await readdir(dataDir)).toEqual(['database.json']);
  });

  it('is created for an older database, which gets an id', async () => {
    await migrate(test.db, migrations);
    await test.db.script('drop table supabase_migrations.database');
    await mkdir(join(dataDir, 'objects', 'incoming'), { recursive: true });
    await requireRecordedDatabase(test.db, dataDir);
    await migrateAndRecord();
    await requireRecordedDatabase(test.db, dataDir);
  });

  it('rejects an empty database when a record or uploads exist', async () => {
    // A volume may be mounted at this path before the first start.
    await mkdir(join(dataDir, 'objects', 'lost+found'), { recursive: true });
    await requireRecordedDatabase(test.db, dataDir);
    await mkdir(join(dataDir, 'objects', 'incoming'));
    const message = /is empty\. Nothing was created .*restore a backup.*start over/;
    await expect(requireRecordedDatabase(test.db, dataDir)).rejects.toThrow(message);
    await migrateAndRecord();
    await rm(join(dataDir, 'objects'), { recursive: true });
    await test.db.script('drop schema supabase_migrations cascade');
    await expect(requireRecordedDatabase(test.db, dataDir)).rejects.toThrow('is empty');
  });

  it('rejects another or older database, and accepts either when the record is removed', async () => {
    await migrateAndRecord();
    await test.db.script("delete from supabase_migrations.schema_migrations where version = '20260102000000'");
    const older = 'is older than recorded: migration 20260102000000 is missing. Nothing was created or migrated.';
    await expect(requireRecordedDatabase(test.db, dataDir)).rejects.toThrow(older);
    await test.db.script('update supabase_migrations.database set id = gen_random_uuid()');
    const message = await requireRecordedDatabase(test.db, dataDir).catch((error: Error) => error.message);
    expect(message).toContain('is a different one');
    expect(message).toContain(`remove ${join(dataDir, 'database.json')}`);
    expect(message).not.toContain('\n');
    await rm(join(dataDir, 'database.json'));
    await requireRecordedDatabase(test.db, dataDir);
  });

  it('is reported as damaged when it is not JSON', async () => {
    await migrateAndRecord();
    await writeFile(join(dataDir, 'database.json'), '{"id": "2c');
    await expect(requireRecordedDatabase(test.db, dataDir)).rejects.toThrow(/database\.json is damaged\. Restore it/);
  });

  it('rejects a missing folder, and a copy without the newest changes', async () => {
    await test.end();
    test = await embedded.open();
    await requireDatabaseFolder(join(dataDir, 'database'), dataDir);
    await migrateAndRecord();
    await expect(requireDatabaseFolder(join(dataDir, 'database'), dataDir)).rejects.toThrow(/database is not there\./);
    const before = join(place.folder, 'before');
    await test.db.copyFolder!(before);
    // Writes more log than a start does.
    await test.db.query('insert into first select generate_series(1, 1000)');
    await recordDatabase(test.db, dataDir);
    await using older = await openDatabase({ kind: 'embedded', folder: before }, { log: silent });
    await expect(requireRecordedDatabase(older, dataDir)).rejects.toThrow('its newest changes are missing');
    // A copy of DATA_DIR with its database is valid.
    const whole = join(place.folder, 'whole');
    await test.db.copyFolder!(join(place.folder, 'whole-database'));
    await cp(dataDir, whole, { recursive: true });
    const folder = join(place.folder, 'whole-database');
    await using copied = await openDatabase({ kind: 'embedded', folder }, { log: silent });
    await requireRecordedDatabase(copied, whole);
  });
});
