import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readIfPresent, writeDurably } from '../data-dir/durable-file.ts';
import { type Database, findRow } from './database.ts';
import { repeat } from './schedule.ts';

/** `database.json`, a format: detects damage that the engine takes for the end of its log (docs/decisions/025). */
interface DatabaseRecord {
  id: string;
  newestMigration: string | null;
  /** Embedded: flushed log position as PostgreSQL writes it (`0/1A2B3C`); null on a server. */
  log: string | null;
}

const INTERVAL_MS = 60_000;

const recordPath = (dataDir: string) => join(dataDir, 'database.json');

/** @throws Error for the operator when an existing installation lost its folder; call before creating one */
export async function requireDatabaseFolder(folder: string, dataDir: string): Promise<void> {
  if (!existsSync(join(folder, 'PG_VERSION')) && (await hasBeenUsed(dataDir)))
    throw mismatchError(dataDir, 'is not there', { mayAccept: false });
}

/** Call it before any write. @throws Error for the operator when the database is another, or lacks recorded changes */
export async function requireRecordedDatabase(db: Database, dataDir: string): Promise<void> {
  const record = await readRecord(dataDir);
  const state = await inspectDatabase(db);
  const mismatch = (problem: string, mayAccept = true) =>
    mismatchError(dataDir, problem, { mayAccept, folder: db.folder });
  if (!state.id && !state.migrations.length) {
    if (await hasBeenUsed(dataDir)) throw mismatch('is empty', false);
    return;
  }
  if (!record) return;
  if (state.id !== record.id) throw mismatch('is a different one');
  if (record.newestMigration && !state.migrations.includes(record.newestMigration))
    throw mismatch(`is older than recorded: migration ${record.newestMigration} is missing`);
  if (record.log && state.flushed && parseLsn(state.flushed) < parseLsn(record.log))
    throw mismatch('is older than recorded: its newest changes are missing');
}

export async function recordDatabase(db: Database, dataDir: string): Promise<void> {
  let state = await inspectDatabase(db);
  // Recovery reaches the flushed position only if everything written is flushed, because it may be inside a log record.
  if (state.flushed !== state.written) {
    await db.query("select pg_logical_emit_message(true, 'madhouse', 'flushed')");
    state = await inspectDatabase(db);
  }
  const { id, migrations, flushed, written } = state;
  const log = flushed === written ? flushed : ((await readRecord(dataDir))?.log ?? null);
  const record: DatabaseRecord = { id: id!, newestMigration: migrations.at(-1) ?? null, log };
  const text = `${JSON.stringify(record, null, 2)}\n`;
  if (text !== (await readIfPresent(recordPath(dataDir)))) await writeDurably(recordPath(dataDir), text);
}

export const startRecording = (db: Database, dataDir: string, log: Logger): (() => Promise<void>) =>
  repeat(async () => {
    await recordDatabase(db, dataDir).catch((error: Error) =>
      log.debug({ error: error.message }, 'recording the database state failed; retrying in a minute'),
    );
  }, INTERVAL_MS);

/** Storage creates the folder after the migrations; it is empty if the installation never served requests. */
async function hasBeenUsed(dataDir: string): Promise<boolean> {
  if (await readRecord(dataDir)) return true;
  const uploads = await readdir(join(dataDir, 'objects')).catch(() => []);
  return uploads.some((name) => name !== 'lost+found');
}

async function readRecord(dataDir: string): Promise<DatabaseRecord | null> {
  const text = await readIfPresent(recordPath(dataDir));
  if (text === null) return null;
  try {
    return JSON.parse(text) as DatabaseRecord;
  } catch {
    throw new Error(
      `${recordPath(dataDir)} is damaged. Restore it from your backup, or remove it to accept the database as it is.`,
    );
  }
}

async function inspectDatabase(db: Database) {
  const text = `select to_regclass('supabase_migrations.schema_migrations') is not null as "hasLedger",
            to_regclass('supabase_migrations.database') is not null as "hasId"`;
  const { hasLedger, hasId } = (await findRow<{ hasLedger: boolean; hasId: boolean }>(db, text))!;
  const idResult = hasId ? await db.query<{ id: string }>('select id::text from supabase_migrations.database') : null;
  const versions = 'select version from supabase_migrations.schema_migrations order by version collate "C"';
  const migrationsResult = hasLedger ? await db.query<{ version: string }>(versions) : null;
  const positions = 'select pg_current_wal_flush_lsn()::text as flushed, pg_current_wal_insert_lsn()::text as written';
  const walPosition = db.folder ? await db.query<{ flushed: string; written: string }>(positions) : null;
  return {
    id: idResult?.rows[0]?.id ?? null,
    migrations: migrationsResult?.rows.map(({ version }) => version) ?? [],
    ...(walPosition?.rows[0] ?? { flushed: null, written: null }),
  };
}

const parseLsn = (text: string): bigint => {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

function mismatchError(dataDir: string, problem: string, options: { mayAccept: boolean; folder?: string }): Error {
  const recoveryCopy = options.folder ? `${options.folder}.before-recovery` : null;
  return new Error(
    `DATA_DIR ${dataDir} belongs to an existing installation, but its database ${problem}. Nothing was created or migrated. ` +
      'If a volume is not mounted or DATABASE_URL names another database, fix that; if the database was damaged or lost, restore a backup of DATA_DIR. ' +
      (options.mayAccept ? `To accept the database as it is now, remove ${recordPath(dataDir)}. ` : '') +
      `To start over, move ${dataDir} away.` +
      (recoveryCopy && existsSync(recoveryCopy) ? ` The log from before this start is in ${recoveryCopy}.` : ''),
  );
}
