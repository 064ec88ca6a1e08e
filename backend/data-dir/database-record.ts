import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { writeDurably } from './durable-file.ts';

/**
 * The engine takes damage in its log for the log's end and starts with less; this file detects it (docs/decisions/025).
 */
interface Known {
  id: string;
  newestMigration: string | null;
  /** Embedded: flushed log position as PostgreSQL writes it (`0/1A2B3C`); null on a server. */
  log: string | null;
}

const EVERY_MS = 60_000;

const fileOf = (dataDir: string) => join(dataDir, 'database.json');

/** @throws Error for the operator when an existing installation lost its folder; call before creating one */
export async function refuseMissingFolder(folder: string, dataDir: string): Promise<void> {
  if (!existsSync(join(folder, 'PG_VERSION')) && (await existed(dataDir)))
    throw refusal(dataDir, 'is not there', { mayAccept: false });
}

/**
 * Read-only; to be called before any write, including migrations.
 * @throws Error for the operator when it is another database than recorded, or holds less
 */
export async function refuseLesser(db: Database, dataDir: string): Promise<void> {
  const known = await recall(dataDir);
  const found = await look(db);
  const lost = (what: string, mayAccept = true) => refusal(dataDir, what, { mayAccept, folder: db.folder });
  if (!found.id && !found.migrations.length) {
    if (await existed(dataDir)) throw lost('is empty', false);
    return;
  }
  if (!known) return;
  if (found.id !== known.id) throw lost('is a different one');
  if (known.newestMigration && !found.migrations.includes(known.newestMigration))
    throw lost(`is older than recorded: migration ${known.newestMigration} is missing`);
  if (known.log && found.flushed && before(found.flushed, known.log))
    throw lost('is older than recorded: its newest changes are missing');
}

export async function remember(db: Database, dataDir: string): Promise<void> {
  let found = await look(db);
  // Recovery reaches the flushed position only when everything written is flushed: it may be inside a record.
  if (found.flushed !== found.written) {
    await db.query("select pg_logical_emit_message(true, 'madhouse', 'flushed')");
    found = await look(db);
  }
  const { id, migrations, ...log } = found;
  const end = log.flushed === log.written ? log.flushed : ((await recall(dataDir))?.log ?? null);
  const known: Known = { id: id!, newestMigration: migrations.at(-1) ?? null, log: end };
  const text = `${JSON.stringify(known, null, 2)}\n`;
  if (text !== (await read(dataDir))) await writeDurably(fileOf(dataDir), text);
}

export function keepRemembering(db: Database, dataDir: string, log: Logger): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = remember(db, dataDir).catch((error: Error) =>
      log.debug({ error: error.message }, 'recording the database state failed; retrying in a minute'),
    );
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/**
 * Storage creates the folder of uploads after the migrations; it is empty if the installation never served requests.
 */
async function existed(dataDir: string): Promise<boolean> {
  if (await recall(dataDir)) return true;
  const uploads = await readdir(join(dataDir, 'objects')).catch(() => []);
  return uploads.some((name) => name !== 'lost+found');
}

async function recall(dataDir: string): Promise<Known | null> {
  const text = await read(dataDir);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Known;
  } catch {
    throw new Error(
      `${fileOf(dataDir)} is damaged. Restore it from your backup, or remove it to accept the database as it is.`,
    );
  }
}

const read = (dataDir: string): Promise<string | null> =>
  readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

interface Found {
  id: string | null;
  migrations: string[];
  flushed: string | null;
  written: string | null;
}

async function look(db: Database): Promise<Found> {
  const { rows } = await db.query<{ ledger: boolean; marked: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as ledger,
            to_regclass('supabase_migrations.database') is not null as marked`,
  );
  const { ledger, marked } = rows[0]!;
  const ids = marked ? await db.query<{ id: string }>('select id::text from supabase_migrations.database') : null;
  const applied = ledger
    ? await db.query<{ version: string }>(
        'select version from supabase_migrations.schema_migrations order by version collate "C"',
      )
    : null;
  const log = db.folder
    ? await db.query<Pick<Found, 'flushed' | 'written'>>(
        'select pg_current_wal_flush_lsn()::text as flushed, pg_current_wal_insert_lsn()::text as written',
      )
    : null;
  return {
    id: ids?.rows[0]?.id ?? null,
    migrations: applied?.rows.map(({ version }) => version) ?? [],
    ...(log?.rows[0] ?? { flushed: null, written: null }),
  };
}

const before = (a: string, b: string): boolean => placeInLog(a) < placeInLog(b);
const placeInLog = (text: string): bigint => {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

function refusal(dataDir: string, what: string, out: { mayAccept: boolean; folder?: string }): Error {
  const aside = out.folder ? `${out.folder}.before-recovery` : null;
  return new Error(
    `DATA_DIR ${dataDir} belongs to an existing installation, but its database ${what}. Nothing was created or migrated. ` +
      'If a volume is not mounted or DATABASE_URL names another database, fix that; if the database was damaged or lost, restore a backup of DATA_DIR. ' +
      (out.mayAccept ? `To accept the database as it is now, remove ${fileOf(dataDir)}. ` : '') +
      `To start over, move ${dataDir} away.` +
      (aside && existsSync(aside) ? ` The log from before this start is in ${aside}.` : ''),
  );
}
