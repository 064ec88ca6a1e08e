import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { recordServerEvent } from '../auth/audit.ts';
import { type Database, hasRow, type Transaction } from '../database/database.ts';
import { isFromBefore, type MigrateOptions, migrate, versionsOf } from '../database/migrate.ts';
import { type Manifest, qualifiedName, TableSum } from './manifest.ts';
import type { Archive } from './open-archive.ts';
import { insertLines, matchTable, readRows, readSequences, readTables, replaceRows, setTextFormat } from './rows.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_ROWS = 500;
const MAX_BATCH_LENGTH = 1024 * 1024;
const PLATFORM_DIR = join(import.meta.dirname, '..', 'database', 'platform');

/** @throws Error for the operator when the archive is from a later version; nothing was changed */
export async function requireKnownMigrations(manifest: Manifest, migrationsDir: string): Promise<void> {
  const versions = await readVersions(migrationsDir);
  const unknownMigrations = manifest.migrations.filter(({ version }) => !versions.includes(version));
  if (unknownMigrations.length && !predatesAll(manifest, versions))
    throw new Error(
      `The archive comes from a newer version: it has migration ${unknownMigrations[0]!.version}_${unknownMigrations[0]!.name}, which this version does not know. Nothing was changed. Update first, or load it with the version that made it.`,
    );
}

const readVersions = async (folder: string) =>
  (await readdir(folder)).flatMap((file) => /^(\d+).*\.sql$/.exec(file)?.[1] ?? []);

const predatesAll = ({ migrations }: Manifest, versions: readonly string[]) =>
  isFromBefore(versionsOf(migrations), versions);

/** Runs the archive’s migrations, loads and compares all rows, then runs later migrations. @throws Error for the operator */
export async function loadRows(
  db: Database,
  archive: Archive,
  { migrationsDir, tempDir, log }: { migrationsDir: string; tempDir: string; log: Logger },
): Promise<void> {
  const options = { platformDir: PLATFORM_DIR, log, backup: async () => {} };
  const { manifest } = archive;
  if (predatesAll(manifest, await readVersions(migrationsDir)) || !(await hasLaterMigration(db, manifest))) {
    await migrateToArchive(db, manifest, { ...options, migrationsDir }, tempDir);
    await db.transaction((tx) => loadTables(tx, archive), { timeoutMs: DAY_MS });
    await db.transaction((tx) => compareTables(tx, manifest), { readOnly: true, timeoutMs: DAY_MS });
  }
  await migrate(db, { ...options, migrationsDir });
  // In order of creation, because a view may read another.
  const text = "select oid::regclass::text as name from pg_class where relkind = 'm' and relispopulated order by oid";
  for (const { name } of (await db.query<{ name: string }>(text)).rows)
    await db.script(`refresh materialized view ${name}`, { timeoutMs: DAY_MS });
  await recordServerEvent(db, { action: 'archive_loaded', reason: manifest.madeAt });
  await db.script('analyze', { timeoutMs: DAY_MS });
}

/** Only after an earlier try has loaded and compared all rows. */
async function hasLaterMigration(db: Database, { migrations }: Manifest): Promise<boolean> {
  const text = 'select from supabase_migrations.schema_migrations where version <> all($1)';
  return hasRow(db, text, [versionsOf(migrations)]).catch(() => false);
}

async function migrateToArchive(db: Database, manifest: Manifest, options: MigrateOptions, tempDir: string) {
  if (predatesAll(manifest, await readVersions(options.migrationsDir))) {
    await migrate(db, options);
    await db.transaction((tx) => requireSameTables(tx, manifest), { readOnly: true });
    return;
  }
  const { migrations } = manifest;
  const applied = new Set(versionsOf(migrations));
  const folder = await mkdtemp(join(tempDir, 'migrations-'));
  try {
    for (const file of await readdir(options.migrationsDir))
      if (applied.has(/^\d+/.exec(file)?.[0] ?? '')) await cp(join(options.migrationsDir, file), join(folder, file));
    await migrate(db, { ...options, migrationsDir: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { rows } = await db.query<{ version: string; checksum: string }>(
    'select version, checksum from supabase_migrations.schema_migrations',
  );
  const edited = migrations.find(
    ({ version, checksum }) => checksum !== null && rows.find((row) => row.version === version)?.checksum !== checksum,
  );
  if (edited)
    throw new Error(
      `Migration ${edited.version}_${edited.name} differs from the archive’s. Load the archive with the version that made it.`,
    );
}

/** Rewritten migrations cannot add tables or columns that an older archive lacks. @throws Error that names the first */
async function requireSameTables(tx: Transaction, { tables }: Manifest): Promise<void> {
  for (const table of await readTables(tx)) {
    const entry = tables.find((one) => qualifiedName(one) === qualifiedName(table));
    const missingColumn = entry && table.columns.find(({ name }) => !entry.columns.includes(name));
    if (!entry || missingColumn)
      throw new Error(
        `The archive comes from an earlier release that had no ${qualifiedName(table)}${missingColumn ? `.${missingColumn.name}` : ''}, and its migrations have been replaced since. Upgrade that installation to the last release before 0.2 and make a new archive.`,
      );
  }
}

async function loadTables(tx: Transaction, archive: Archive): Promise<void> {
  await setTextFormat(tx);
  const tables = await readTables(tx);
  const { manifest } = archive;
  await replaceRows(tx, manifest, async () => {
    for (const entry of manifest.tables) {
      const table = matchTable(tables, entry);
      for await (const lines of archive.readLines(entry))
        for (const batch of batchesOf(lines)) await insertLines(tx, table, batch);
    }
  });
}

function* batchesOf(lines: readonly string[]): Generator<readonly string[]> {
  let [from, length] = [0, 0];
  for (const [at, line] of lines.entries()) {
    if (at > from && (at - from >= BATCH_ROWS || length + line.length > MAX_BATCH_LENGTH)) {
      yield lines.slice(from, at);
      [from, length] = [at, 0];
    }
    length += line.length;
  }
  if (from < lines.length) yield lines.slice(from);
}

/** Reads every table again. @throws Error that names the first one that differs */
async function compareTables(tx: Transaction, manifest: Manifest): Promise<void> {
  await setTextFormat(tx);
  const tables = await readTables(tx);
  for (const entry of manifest.tables) {
    const sum = new TableSum();
    for await (const lines of readRows(tx, matchTable(tables, entry))) for (const line of lines) sum.add(line);
    const { rows, checksum } = sum;
    if (rows !== entry.rows || checksum !== entry.checksum)
      throw new Error(
        `${qualifiedName(entry)} differs from the archive: ${rows} rows instead of ${entry.rows}, or other content.`,
      );
  }
  const sequences = await readSequences(tx);
  for (const { schema, name, last, called } of manifest.sequences) {
    const found = sequences.find((sequence) => sequence.schema === schema && sequence.name === name);
    if (found?.last !== last || found.called !== called)
      throw new Error(`The sequence ${schema}.${name} does not continue where the archive’s ended.`);
  }
}
