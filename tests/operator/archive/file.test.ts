import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRows, requireKnownMigrations } from '../../../packages/backend/archive/load-rows.ts';
import { makeArchive } from '../../../packages/backend/archive/make-archive.ts';
import { HEAD, isEntryName } from '../../../packages/backend/archive/manifest.ts';
import { DamagedArchive, openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { openKeys, sealKeys, WrongPassphrase } from '../../../packages/backend/archive/sealed-keys.ts';
import { BLOCK, END, paddingOf, readTarHeader, tarHeader } from '../../../packages/backend/archive/tar.ts';
import { type EntryWriter, writeNewFile } from '../../../packages/backend/archive/write-new-file.ts';
import type { Database } from '../../../packages/backend/database/database.ts';
import { migrate } from '../../../packages/backend/database/migrate.ts';
import { openDiskStore } from '../../../packages/backend/storage/disk-store.ts';
import { engines, postgresql, SCHEMA, silent, type TestDatabase } from '../../database.ts';
import { folderForTests } from '../folder-for-tests.ts';

/** Edge cases: all value types, rows that reference each other, tables unknown to the archive. */
const EDGE_CASES = `
  create schema "Odd-one";
  create type "Odd-one".mood as enum ('fine', 'so ''so''');
  create table "Odd-one"."Values" (
    id bigint generated always as identity primary key,
    n numeric, price numeric(12,2), f float8, at timestamptz, day date, span interval, raw bytea, words text[], doc jsonb,
    said json, mood "Odd-one".mood, net inet, during tstzrange, text text, doubled numeric generated always as (n * 2) stored,
    transaction xid8 not null default pg_current_xact_id()
  );
  create table "Odd-one".hen (id integer primary key, egg integer not null);
  create table "Odd-one".egg (id integer primary key, hen integer references "Odd-one".hen deferrable);
  alter table "Odd-one".hen add foreign key (egg) references "Odd-one".egg deferrable initially deferred;
  create table "Odd-one".tree (id integer primary key, parent integer references "Odd-one".tree);
  create table "Odd-one".nothing ();
  create function "Odd-one".refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
  create trigger refuse before insert or update or delete on "Odd-one".tree for each row execute function "Odd-one".refuse();
  create trigger refuse_truncate before truncate on "Odd-one".tree execute function "Odd-one".refuse();
  create trigger switched_off before insert on "Odd-one".hen for each row execute function "Odd-one".refuse();
  alter table "Odd-one".hen disable trigger switched_off;
  create trigger always before update on "Odd-one".egg for each row execute function "Odd-one".refuse();
  alter table "Odd-one".egg enable always trigger always;
  alter table "Odd-one".tree enable row level security, force row level security;`;

const ROWS = `
  insert into "Odd-one"."Values" (n, price, f, at, day, span, raw, words, doc, said, mood, net, during, text) values
    (12345678901234567890.123456789012345678901234567890, 0.10, 0.1::float8 + 0.2::float8, '2026-11-21 10:00:00.123456+05:30',
     '0044-03-15 BC', '1 year -3 days 04:05:06.000007', '\\x00ff0a', array['a "b"', null, 'null', '', '{}', E'\\\\'],
     '{"b": 1.50, "a": [null, "\\\\u2028"]}', '{ "z":1,  "z":2 }', 'so ''so''', '10.1.0.0/16',
     '[2026-01-01,infinity)', E'line\\none\\ttab \\\\ back''s "quote" \\u2028 💥 \\x01 end'),
    ('NaN', null, '-infinity', '-infinity', 'infinity', null, '', '{}', 'null', '"text"', null, '::1', 'empty', ''),
    (null, null, null, null, null, null, null, null, null, null, null, null, null, null);
  insert into "Odd-one"."Values" (text) select repeat(md5(n::text), 400) from generate_series(1, 700) n;
  begin; insert into "Odd-one".hen values (1, 2); insert into "Odd-one".egg values (2, 1), (3, null); commit;
  set session_replication_role = replica;
  insert into "Odd-one".tree values (1, 2), (2, null), (3, 1);
  reset session_replication_role;
  insert into "Odd-one".nothing default values;`;

const FINGERPRINT = `
  select (select string_agg((to_jsonb(v) - 'transaction')::text || said, ' ' order by id) from "Odd-one"."Values" v where id < 4) as values,
    (select md5(string_agg(text, '' order by id)) from "Odd-one"."Values") as texts,
    (select string_agg(t::text, ' ' order by id) from "Odd-one".tree t) as tree,
    (select string_agg(tgname || tgenabled::text, ' ' order by tgname) from pg_trigger where not tgisinternal) as triggers,
    (select string_agg(conname || condeferrable || condeferred, ' ' order by conname) from pg_constraint where contype = 'f') as keys`;

const folder = folderForTests();
const migrations = join(folder, 'migrations');
const open: TestDatabase[] = [];
const newFile = () => join(folder, `${randomUUID()}.tar`);

beforeAll(async () => {
  await mkdir(migrations);
  await writeFile(join(migrations, '20200101000000_awkward.sql'), EDGE_CASES);
});
afterAll(async () => {
  for (const one of open) await one.end();
});

const openNew = async (engine: (typeof engines)[number]) => {
  const database = await engine.open();
  open.push(database);
  return database.db;
};

/** A small installation with two objects, one larger than a read chunk, and a row with lost bytes. */
async function openSmallInstallation(db: Database) {
  await migrate(db, { ...SCHEMA, migrationsDir: migrations, log: silent });
  await db.script(ROWS);
  const store = await openDiskStore(join(folder, randomUUID()));
  await db.query(`insert into storage.buckets (id, name) values ('b', 'b')`);
  const versions: Record<string, Buffer> = {};
  for (const size of [11, 1_500_000]) {
    const version = randomUUID();
    versions[version] = randomBytes(size);
    await writeFile(join(folder, 'new'), versions[version]);
    await store.put(version, 'original', join(folder, 'new'));
    await addObject(db, version, version, size);
  }
  await addObject(db, 'lost.png', randomUUID(), 5);
  return { source: { db, store, requireSnapshot: () => {} }, store, versions };
}

const INSERT_OBJECT = `insert into storage.objects (bucket_id, name, version, metadata) values ('b', $1, $2, $3)`;
const addObject = (db: Database, name: string, version: string, size: number) =>
  db.query(INSERT_OBJECT, [name, version, { size }]);

const ARCHIVE_OPTIONS = { version: '1.2.3', keys: null, takeAway: false, reservedBytes: 0 };

describe.each([
  [engines[0], engines[1]!],
  [engines[1]!, engines[0]],
])('an archive (D11)', (from, to) => {
  it(`copies every value of every table from ${from.name} to ${to.name}`, async () => {
    const db = await openNew(from);
    const { source, store, versions } = await openSmallInstallation(db);
    const path = newFile();
    const manifest = await makeArchive(source, path, ARCHIVE_OPTIONS);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(manifest).toMatchObject({ version: '1.2.3', engine: db.engine, keys: false, missing: ['b/lost.png'] });
    expect(manifest.objects).toEqual({ count: 2, bytes: 1_500_011 });
    const rows = Object.fromEntries(manifest.tables.map(({ schema, name, rows }) => [`${schema}.${name}`, rows]));
    const counts = { 'Odd-one.Values': 703, 'Odd-one.tree': 3, 'Odd-one.nothing': 1, 'storage.objects': 3 };
    expect(rows).toMatchObject(counts);

    const archive = await openArchive(path);
    const target = await openNew(to);
    await loadRows(target, archive, { migrationsDir: migrations, tempDir: folder, log: silent });
    expect((await target.query(FINGERPRINT)).rows).toEqual((await db.query(FINGERPRINT)).rows);
    // The next row gets the next number, and versions do not belong to this transaction.
    const next = `insert into "Odd-one"."Values" (text) values ('next') returning id`;
    expect((await target.query(next)).rows).toEqual((await db.query(next)).rows);
    for (const [version, bytes] of Object.entries(versions)) {
      const parts: Uint8Array[] = [];
      for await (const part of archive.readObject(version)) parts.push(part);
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    }
    await archive.close();
    await target.query(`delete from "Odd-one"."Values" where text = 'next'`);
    const again = await makeArchive({ db: target, store, requireSnapshot: () => {} }, newFile(), ARCHIVE_OPTIONS);
    const sums = ({ tables }: typeof manifest) =>
      tables.filter(({ name }) => name !== 'audit_log_entries').map(({ parts: _, ...table }) => table);
    expect(sums(again)).toEqual(sums(manifest));
  });
});

describe('an archive (D11)', () => {
  let path: string;
  let installation: Awaited<ReturnType<typeof openSmallInstallation>>;
  beforeAll(async () => {
    installation = await openSmallInstallation(await openNew(postgresql));
    path = newFile();
    const keys = await sealKeys({ 'keys.json': '{}' }, 'tangerine bicycle');
    await makeArchive(installation.source, path, { ...ARCHIVE_OPTIONS, keys });
  });

  const refusal = async (bytes: Buffer) => {
    const damaged = newFile();
    await writeFile(damaged, bytes);
    return openArchive(damaged).then(
      () => 'was taken',
      (error) => (error instanceof DamagedArchive ? error.message : `${error.stack}`),
    );
  };

  it('is readable by any tar program', async () => {
    const { execFileSync } = await import('node:child_process');
    const listed = execFileSync('tar', ['tf', path], { encoding: 'utf8' });
    expect(listed).toMatch(/^madhouse-archive\.json\ntables\/Odd-one\.Values\/000000\.ndjson\.zst\n/);
    expect(listed).toMatch(/objects\/[0-9a-f-]{36}\nkeys\.sealed\nmanifest\.json\nmanifest\.sha256\n$/);
  });

  it('is rejected when any bit is changed', async () => {
    const whole = await readFile(path);
    // Fixed offsets across the file, and those that no checksum of contents covers.
    const places = Array.from({ length: 50 }, (_, at) => (at * 2_654_435_761) % whole.length);
    places.push(100, 257, 345, 511, BLOCK + 40, whole.length - 1, whole.length - BLOCK, whole.length - 3 * BLOCK + 100);
    for (const place of places) {
      const bytes = Buffer.from(whole);
      bytes[place]! ^= 1 << (place % 8);
      const rejection = /^\S+ is (damaged: .*Nothing was loaded|not an archive of Madhouse)\.$/;
      expect(await refusal(bytes), `byte ${place}`).toMatch(rejection);
    }
  });

  it('is rejected when it is truncated or has trailing data', async () => {
    const whole = await readFile(path);
    const cuts = Array.from({ length: 20 }, (_, at) => Math.floor((whole.length * at) / 20));
    for (const length of [...cuts, whole.length - 1, whole.length - BLOCK, whole.length - 2 * BLOCK])
      expect(await refusal(whole.subarray(0, length)), `${length} bytes`).toMatch(/^\S+ is (damaged|not an archive)/);
    expect(await refusal(Buffer.concat([whole, Buffer.alloc(BLOCK)]))).toContain('it ends at the wrong place');
    // A size makes a header plausible, and bytes that are no text make its name long.
    const noise = Buffer.concat([Buffer.alloc(124, 0xff), Buffer.from('7'), randomBytes(4096)]);
    expect(await refusal(noise)).toMatch(/is not an archive of Madhouse\.$/);
  });

  it('is rejected when it contains a path outside its folder, a link or a duplicate entry', async () => {
    const head = Buffer.from(JSON.stringify({ product: 'madhouse', format: 1 }));
    const entry = (header: Buffer, content: Buffer) =>
      Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]);
    const withEntries = (...entries: Buffer[]) =>
      Buffer.concat([entry(tarHeader(HEAD, head.length), head), ...entries, END]);
    const something = Buffer.from('something');
    const names = ['../escaped', '/etc/escaped', 'objects/../../escaped', 'tables/a.b/../../../x.ndjson.zst', '..', ''];
    for (const name of names) {
      const refused = await refusal(withEntries(entry(tarHeader(name, something.length), something)));
      expect(refused, name).toContain('unexpected content at byte');
    }
    const object = `objects/${randomUUID()}`;
    const link = tarHeader(object, 0);
    link.write('2', 156);
    link.write('/etc/passwd', 157);
    const unsummed = Buffer.from(link);
    unsummed.write('        ', 148);
    const checksum = unsummed.reduce((sum, byte) => sum + byte, 0);
    link.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
    expect(await refusal(withEntries(link))).toContain('unexpected content at byte');
    const one = entry(tarHeader(object, something.length), something);
    expect(await refusal(withEntries(one, one))).toContain('is in it twice');
    expect(await refusal(withEntries(one))).toContain('its list of contents is missing');
    expect(isEntryName(object)).toBe(true);
  });

  it('is rejected with an explanation when its format is newer', async () => {
    const later = Buffer.from(JSON.stringify({ product: 'madhouse', format: 2 }));
    const file = Buffer.concat([tarHeader(HEAD, later.length), later, Buffer.alloc(paddingOf(later.length)), END]);
    expect(await refusal(file)).toContain('is an archive of format 2, which this version does not know');
  });

  it('is rejected when one of its migrations is unknown or differs', async () => {
    const archive = await openArchive(path);
    const others = join(folder, 'others');
    await mkdir(others);
    await writeFile(join(others, '20191231000000_other.sql'), 'select 1');
    const checking = requireKnownMigrations(archive.manifest, others);
    await expect(checking).rejects.toThrow(/newer version: it has migration 20200101000000_awkward/);
    await writeFile(join(others, '20200101000000_awkward.sql'), `${EDGE_CASES}\nselect 1;`);
    const target = await openNew(postgresql);
    const loading = loadRows(target, archive, { migrationsDir: others, tempDir: folder, log: silent });
    await expect(loading).rejects.toThrow(/differs from the archive’s/);
    await archive.close();
  });

  it('is migrated after its rows are loaded when it is older', async () => {
    const newer = join(folder, 'newer');
    await cp(migrations, newer, { recursive: true });
    const later = `alter table "Odd-one".nothing add column filled text; update "Odd-one".nothing set filled = 'by the later one';`;
    await writeFile(join(newer, '20200101000001_later.sql'), later);
    const archive = await openArchive(path);
    const target = await openNew(postgresql);
    await loadRows(target, archive, { migrationsDir: newer, tempDir: folder, log: silent });
    expect((await target.query('select filled from "Odd-one".nothing')).rows).toEqual([{ filled: 'by the later one' }]);
    await archive.close();
  });

  it('of a release before the rewritten migrations loads if no table or column is missing', async () => {
    const restored = join(folder, 'restored');
    await mkdir(restored);
    const moved = EDGE_CASES.replace('n numeric, price numeric(12,2),', 'price numeric(12,2), n numeric,');
    expect(moved).not.toBe(EDGE_CASES);
    await writeFile(join(restored, '20200201000000_ground.sql'), moved);
    const archive = await openArchive(path);
    await requireKnownMigrations(archive.manifest, restored);
    const target = await openNew(postgresql);
    const options = { migrationsDir: restored, tempDir: folder, log: silent };
    await loadRows(target, archive, options);
    const { rows } = await target.query(FINGERPRINT);
    expect(rows).toEqual((await installation.source.db.query(FINGERPRINT)).rows);
    await writeFile(join(restored, '20200202000000_more.sql'), 'alter table "Odd-one".egg add column laid date;');
    const reason = /^The archive comes from an earlier release that had no Odd-one\.egg\.laid, [^\n]*a new archive\.$/;
    await expect(loadRows(await openNew(postgresql), archive, options)).rejects.toThrow(reason);
    await archive.close();
  });

  it('never replaces a file, and leaves no file when it fails', async () => {
    const before = await readFile(path);
    const exists = /exists already\. Choose another file name/;
    await expect(makeArchive(installation.source, path, ARCHIVE_OPTIONS)).rejects.toThrow(exists);
    expect((await readFile(path)).equals(before)).toBe(true);
    const held = () => {
      throw new Error('let go');
    };
    const source = { ...installation.source, requireSnapshot: held };
    await expect(makeArchive(source, newFile(), ARCHIVE_OPTIONS)).rejects.toThrow('let go');
    const [left, wrong] = [newFile(), newFile()];
    // No process has this id, so the file is a leftover.
    await writeFile(`${left}.4194999.part`, 'half');
    await makeArchive(installation.source, left, ARCHIVE_OPTIONS);
    const short = (entries: EntryWriter) => entries.add(HEAD, 5, [Buffer.from('four')]);
    await expect(writeNewFile(wrong, short)).rejects.toThrow('changed while it was copied');
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
    const full = { ...ARCHIVE_OPTIONS, reservedBytes: 2 ** 60 };
    const tooFull = /Free some space or use another disk/;
    await expect(makeArchive(installation.source, newFile(), full)).rejects.toThrow(tooFull);
  });

  it('contains keys that only the passphrase decrypts', async () => {
    const archive = await openArchive(path);
    const sealed = (await archive.sealedKeys())!;
    expect(await openKeys(sealed, 'tangerine bicycle')).toEqual({ 'keys.json': '{}' });
    await expect(openKeys(sealed, 'tangerine bicycles')).rejects.toThrow(WrongPassphrase);
    await archive.close();
  });

  it('stores sizes that exceed the octal field', () => {
    const size = 9 * 2 ** 30;
    expect(readTarHeader(tarHeader('objects/large', size))).toEqual({ name: 'objects/large', size });
  });
});
