import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { recordServerEvent } from '../auth/audit.ts';
import type { Database, Transaction } from '../database/database.ts';
import { isFromBefore, type MigrateOptions, migrate } from '../database/migrate.ts';
import { type Manifest, TableSum, titleOf } from './manifest.ts';
import type { Archive } from './read-file.ts';
import {
  insertLines,
  linesOf,
  matching,
  replaceRows,
  sequencesOf,
  speakPlainly,
  type Table,
  tablesOf,
} from './rows.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ROWS_AT_ONCE = 500;
const MOST_LENGTH = 1024 * 1024;
const PLATFORM = join(import.meta.dirname, '..', 'database', 'platform');

/** @throws Error for the operator when the archive is from a later version; nothing was changed */
export async function requireKnown(manifest: Manifest, migrationsDir: string): Promise<void> {
  const known = await versionsIn(migrationsDir);
  const unknown = manifest.migrations.filter(({ version }) => !known.includes(version));
  if (unknown.length && !isOutgrown(manifest, known))
    throw new Error(
      `The archive comes from a newer version: it has migration ${unknown[0]!.version}_${unknown[0]!.name}, which this version does not know. Nothing was changed. Update first, or load it with the version that made it.`,
    );
}

const versionsIn = async (folder: string) =>
  (await readdir(folder)).flatMap((file) => /^(\d+).*\.sql$/.exec(file)?.[1] ?? []);

const isOutgrown = ({ migrations }: Manifest, known: readonly string[]) =>
  isFromBefore(
    migrations.map(({ version }) => version),
    known,
  );

/**
 * Runs the archive's migrations on an empty database, loads and compares all rows, then runs later migrations.
 * @throws Error with a message for the operator
 */
export async function loadRows(
  db: Database,
  archive: Archive,
  { migrationsDir, scratch, log }: { migrationsDir: string; scratch: string; log: Logger },
): Promise<void> {
  const options = { platformDir: PLATFORM, log, backup: async () => {} };
  await migrateAsFar(db, archive.manifest, { ...options, migrationsDir }, scratch);
  await db.transaction((tx) => fill(tx, archive), { timeoutMs: DAY_MS });
  await db.transaction((tx) => compare(tx, archive.manifest), { readOnly: true, timeoutMs: DAY_MS });
  await migrate(db, { ...options, migrationsDir });
  await recordServerEvent(db, { action: 'archive_loaded', outcome: 'success', reason: archive.manifest.madeAt });
  await db.script('analyze', { timeoutMs: DAY_MS });
}

async function migrateAsFar(db: Database, manifest: Manifest, options: MigrateOptions, scratch: string) {
  if (isOutgrown(manifest, await versionsIn(options.migrationsDir))) {
    await migrate(db, options);
    await db.transaction((tx) => requireSame(tx, manifest), { readOnly: true });
    return;
  }
  const { migrations } = manifest;
  const ran = new Set(migrations.map(({ version }) => version));
  const folder = await mkdtemp(join(scratch, 'migrations-'));
  try {
    for (const file of await readdir(options.migrationsDir))
      if (ran.has(/^\d+/.exec(file)?.[0] ?? '')) await cp(join(options.migrationsDir, file), join(folder, file));
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

/** Rewritten migrations do not fill in what an older archive lacks. @throws Error that names it */
async function requireSame(tx: Transaction, { tables }: Manifest): Promise<void> {
  for (const table of await tablesOf(tx)) {
    const archived = tables.find((one) => titleOf(one) === titleOf(table));
    const lacking = archived && table.columns.find(({ name }) => !archived.columns.includes(name));
    if (!archived || lacking)
      throw new Error(
        `The archive comes from an earlier release that had no ${titleOf(table)}${lacking ? `.${lacking.name}` : ''}, and its migrations have been replaced since. Upgrade that installation to the last release before 0.2 and make a new archive.`,
      );
  }
}

async function fill(tx: Transaction, archive: Archive): Promise<void> {
  await speakPlainly(tx);
  const here = await tablesOf(tx);
  const { manifest } = archive;
  await replaceRows(tx, manifest, async () => {
    for (const archived of manifest.tables) {
      const table = matching(here, archived);
      for await (const lines of archive.linesOf(archived))
        for (const some of inParts(lines)) await insertLines(tx, table, some);
    }
  });
}

function* inParts(lines: readonly string[]): Generator<readonly string[]> {
  let [from, length] = [0, 0];
  for (const [at, line] of lines.entries()) {
    if (at > from && (at - from >= ROWS_AT_ONCE || length + line.length > MOST_LENGTH)) {
      yield lines.slice(from, at);
      [from, length] = [at, 0];
    }
    length += line.length;
  }
  if (from < lines.length) yield lines.slice(from);
}

/** Reads every table again. @throws Error that names the first one that differs */
async function compare(tx: Transaction, manifest: Manifest): Promise<void> {
  await speakPlainly(tx);
  const here = await tablesOf(tx);
  for (const archived of manifest.tables) {
    const { rows, checksum } = await sumOf(tx, matching(here, archived));
    if (rows !== archived.rows || checksum !== archived.checksum)
      throw new Error(
        `${titleOf(archived)} differs from the archive: ${rows} rows instead of ${archived.rows}, or other content.`,
      );
  }
  const sequences = await sequencesOf(tx);
  for (const { schema, name, last, called } of manifest.sequences) {
    const found = sequences.find((sequence) => sequence.schema === schema && sequence.name === name);
    if (found?.last !== last || found.called !== called)
      throw new Error(`The sequence ${schema}.${name} does not continue where the archive’s ended.`);
  }
}

async function sumOf(tx: Transaction, table: Table): Promise<TableSum> {
  const sum = new TableSum();
  for await (const lines of linesOf(tx, table)) for (const line of lines) sum.add(line);
  return sum;
}
