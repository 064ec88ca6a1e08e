import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { folderFault } from '../config/supabase-config-file.ts';
import { type Connection, type Database, DatabaseError, hasRow, type Transaction } from './database.ts';
import { copyBeforeMigrating } from './database-copies.ts';
import { type ScriptStatement, splitStatements } from './sql-statements.ts';

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface MigrateOptions {
  /** What a Supabase project provides; run again whenever a file changed. */
  platformDir: string;
  migrationsDir: string;
  log: Logger;
  /** Called before the first change of a database that has migrations; by default an embedded folder is copied. */
  backup?: (version: string) => Promise<void>;
  /** False: change nothing, and reject a database that is older than the files. */
  canChange?: boolean;
}

type Step = { version: string; name: string; file: string; sql: string; checksum: string; kind: Kind };

type Applied = { version: string; name: string; checksum: string | null; kind: Kind | null };

/** `-- expand` on a file's first line: the previous release works with its result (docs/decisions/057). */
type Kind = 'expand' | 'contract';

const TIMEOUT_MS = 10 * 60_000;
const LOCK = 'select pg_advisory_xact_lock(7205759403792794)';

// The migration table of the Supabase CLI, with checksums. `database.json` refers to the id.
const CREATE_LEDGER = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
alter table supabase_migrations.schema_migrations add column if not exists checksum text;
create table if not exists supabase_migrations.platform (name text primary key, checksum text not null, applied_at timestamptz not null default now());
create table if not exists supabase_migrations.database (alone boolean primary key default true check (alone), id uuid not null default gen_random_uuid());
alter table supabase_migrations.schema_migrations add column if not exists kind text;
alter table supabase_migrations.platform add column if not exists kind text, add column if not exists replaced text[] not null default '{}';
insert into supabase_migrations.database default values on conflict do nothing;
revoke all on schema supabase_migrations from public;
`;

/**
 * Platform files, then new migrations, each in one transaction. @returns the names of the files that ran
 * @throws MigrationError for a failed or edited file, or a database that is too new or older than all files
 */
export async function migrate(db: Database, options: MigrateOptions): Promise<string[]> {
  const platform = chainChecksums(await readSteps(options.platformDir));
  const migrations = await readSteps(options.migrationsDir, { isOptional: true });
  if (!(await hasRow(db, FIND_LEDGER))) {
    if (options.canChange === false) throw outdatedError([...platform, ...migrations]);
    await withMigrationLock(db, (tx) => tx.script(CREATE_LEDGER));
  }
  const applied = await readAppliedMigrations(db);
  requireCompatible(migrations, applied);
  const { changed, newer } = await comparePlatform(db, platform);
  const missing = absentFrom(applied, migrations);
  const unknown = [...newer, ...absentFrom(migrations, applied)];
  const pending = [...changed, ...missing];
  requireOnlyExpanded(unknown, pending);
  if (unknown.length)
    options.log.warn({ newer: unknown.map(fileNameOf) }, 'database was migrated by a newer, compatible version');
  if (!pending.length) return [];
  if (options.canChange === false) throw outdatedError(pending);
  const backup = options.backup ?? ((version) => copyBeforeMigrating(db, version, options.log));
  if (applied.length) await backup(missing[0]?.version ?? 'platform');
  for (const step of changed) await run(db, step, isPlatformCurrent, recordPlatform);
  for (const step of missing) await run(db, step, isApplied, recordMigration);
  options.log.info({ platform: changed.length, migrations: missing.map(({ file }) => file) }, 'database migrated');
  await db.query(`select pg_notify('pgrst', 'reload schema')`);
  return pending.map(({ file }) => file);
}

async function readSteps(folder: string, { isOptional = false } = {}): Promise<Step[]> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isOptional && error.code === 'ENOENT') return [];
    throw folderFault(folder, error);
  });
  const files = found.filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw folderFault(join(folder, file), error);
      });
      const [, version, name] = /^(\d+)[_-](.*)\.sql$/.exec(file) ?? [];
      if (!version) throw new MigrationError(`${join(folder, file)} is not named NUMBER_subject.sql`);
      const kind = /^-- expand\b/.test(sql) ? 'expand' : 'contract';
      return { version, name: name!, file, sql, checksum: checksumOf(sql), kind };
    }),
  );
}

/** Independent of line endings, which a checkout on Windows may change. */
const checksumOf = (sql: string) => createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');

/** A platform file may depend on earlier ones, so a change affects all later checksums. */
function chainChecksums(steps: Step[]): Step[] {
  let previous = '';
  return steps.map((step) => {
    previous = checksumOf(previous + step.checksum);
    return { ...step, checksum: previous };
  });
}

const FIND_LEDGER = `select from pg_attribute where attrelid = to_regclass('supabase_migrations.platform') and attname = 'replaced'`;

async function readAppliedMigrations(db: Database): Promise<Applied[]> {
  const { rows } = await db.query<Applied>(
    `select version, coalesce(name, '') as name, checksum,
            coalesce(kind, case when statements[1] ~ '^-- expand\\M' then 'expand' end) as kind from supabase_migrations.schema_migrations
     order by version collate "C"`,
  );
  return rows;
}

/** True when all migrations that ran are older than the oldest file: the files were rewritten since. */
export const isFromBefore = (ran: readonly string[], known: readonly string[]): boolean =>
  ran.length > 0 && known.length > 0 && ran.every((version) => known.every((one) => version < one));

function requireCompatible(migrations: Step[], applied: Applied[]): void {
  const [first] = migrations;
  const last = applied.at(-1);
  if (first && last && isFromBefore(versionsOf(applied), versionsOf(migrations)))
    throw new MigrationError(
      `The database was made before version 0.2 with other migrations: it ends with ${last.version}_${last.name}, and the current ones begin with ${first.version}_${first.name}. Nothing was changed. Make an archive with the release that made it (npm run archive -- make FILE), then load that with this one into a new DATA_DIR or database (npm run archive -- load FILE).`,
    );
  for (const { version, checksum } of applied) {
    const step = migrations.find((candidate) => candidate.version === version);
    if (step && checksum !== null && checksum !== step.checksum)
      throw new MigrationError(
        `${step.file} was edited after it ran on this database. Restore the file and put the change into a new migration. Nothing was changed.`,
      );
  }
}

const absentFrom = <Entry extends { version: string }>(others: readonly { version: string }[], entries: Entry[]) =>
  entries.filter(({ version }) => !others.some((other) => other.version === version));

/** This version may run on a newer database that was only expanded and has all of its migrations. */
function requireOnlyExpanded(unknown: Pick<Applied, 'version' | 'name' | 'kind'>[], pending: Step[]): void {
  const unknownMigration = pending.length ? unknown[0] : unknown.find(({ kind }) => kind !== 'expand');
  if (unknownMigration)
    throw new MigrationError(
      `The database has migration ${fileNameOf(unknownMigration)}, which this version does not know: start the newer version, or restore a backup. Nothing was changed.`,
    );
}

const fileNameOf = ({ version, name }: Pick<Applied, 'version' | 'name'>) => (version ? `${version}_${name}` : name);

function outdatedError([first, ...rest]: Step[]): MigrationError {
  return new MigrationError(
    `The database is older than this version: ${first!.file}${rest.length ? ` and ${rest.length} more have` : ' has'} not run on it, and MIGRATE=never disables migrating at start. Run "npm run migrate" first. Nothing was changed.`,
  );
}

export const versionsOf = (steps: readonly Pick<Step, 'version'>[]) => steps.map(({ version }) => version);

async function comparePlatform(db: Database, platform: Step[]) {
  const { rows } = await db.query<Applied & { checksum: string; replaced: string[] }>(
    `select '' as version, name, checksum, kind, replaced from supabase_migrations.platform order by name collate "C"`,
  );
  const applied = new Map(rows.map((row) => [row.name, row]));
  const files = new Map(platform.map(({ file, checksum }) => [file, checksum]));
  const newer = rows.filter(({ name, replaced }) => !files.has(name) || replaced.includes(files.get(name)!));
  const differs = ({ file, checksum }: Step) => applied.get(file)?.checksum !== checksum;
  return { changed: platform.filter((step) => differs(step) && !newer.includes(applied.get(step.file)!)), newer };
}

async function run(
  db: Database,
  step: Step,
  isDone: (tx: Connection, step: Step) => Promise<boolean>,
  record: (tx: Connection, step: Step, statements: ScriptStatement[]) => Promise<unknown>,
): Promise<void> {
  const statements = splitStatements(step.sql);
  await withMigrationLock(db, async (tx) => {
    if (await isDone(tx, step)) return;
    for (const [index, statement] of statements.entries())
      await tx.script(statement.text).catch((error) => {
        throw describeFailure(step, statement, `${index + 1} of ${statements.length}`, error);
      });
    // A migration may leave the search path or the role changed.
    await tx.script('reset role; reset search_path');
    await record(tx, step, statements);
  }).catch((error) => {
    if (error instanceof DatabaseError)
      throw new MigrationError(`${step.file} failed: ${error.message} (${error.code})`);
    throw error;
  });
}

const withMigrationLock = (db: Database, work: (tx: Transaction) => Promise<void>) =>
  db.transaction(work, { timeoutMs: TIMEOUT_MS, setupStatements: [{ text: LOCK }], direct: true });

function describeFailure(step: Step, { text, line }: ScriptStatement, place: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const [firstLine] = text.replace(/^(\s|--[^\n]*\n)+/, '').split('\n');
  return new MigrationError(
    `${step.file} failed at step ${place} (line ${line}: ${firstLine!.slice(0, 80)}): ${error.message} (${error.code}). The file was rolled back.`,
  );
}

const isApplied = (tx: Connection, { version }: Step) =>
  hasRow(tx, 'select from supabase_migrations.schema_migrations where version = $1', [version]);

const isPlatformCurrent = (tx: Connection, { file, checksum }: Step) =>
  hasRow(tx, 'select from supabase_migrations.platform where name = $1 and checksum = $2', [file, checksum]);

const recordMigration = (tx: Connection, { version, name, checksum, kind }: Step, statements: ScriptStatement[]) =>
  tx.query(
    'insert into supabase_migrations.schema_migrations (version, name, statements, checksum, kind) values ($1, $2, $3, $4, $5)',
    [version, name, statements.map(({ text }) => text), checksum, kind],
  );

const recordPlatform = (tx: Connection, { file, checksum, kind }: Step) =>
  tx.query(
    `insert into supabase_migrations.platform (name, checksum, kind) values ($1, $2, $3)
     on conflict (name) do update set checksum = excluded.checksum, kind = excluded.kind, applied_at = now(),
       replaced = platform.replaced || platform.checksum`,
    [file, checksum, kind],
  );
