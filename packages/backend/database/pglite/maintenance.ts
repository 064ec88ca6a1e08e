import type { Logger } from 'pino';
import type { Database } from '../database.ts';
import { repeat } from '../schedule.ts';

/** Often: cached plans live until statistics change, and would scan a fast-growing table in full. */
const INTERVAL_MS = 10_000;
const MAX_WAL_BYTES = 32 * 1024 * 1024;
const CHECKPOINT_AFTER_MS = 4 * 60_000;
const MIN_CHANGED_BYTES = 200;

const READ_WAL = `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int8 as bytes,
    pg_wal_lsn_diff(pg_current_wal_lsn(), checkpoint_lsn)::int8 as changed,
    (extract(epoch from clock_timestamp() - checkpoint_time) * 1000)::float8 as age
  from pg_control_checkpoint()`;

// Thresholds of PostgreSQL's autovacuum.
const TABLES_DUE = `select format('%I.%I', schemaname, relname) as name, n_dead_tup > 50 + 0.2 * n_live_tup as dead
  from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup`;

/** Checkpoints and statistics: an engine with one session has no background processes. Each step is a turn. */
export async function maintain(db: Pick<Database, 'query' | 'script'>, checkpointAfterMs = CHECKPOINT_AFTER_MS) {
  // The engine publishes its change counters only occasionally.
  await db.query('select pg_stat_force_next_flush()');
  const { rows: tables } = await db.query<{ name: string; dead: boolean }>(TABLES_DUE);
  for (const { name, dead } of tables) await db.script(`${dead ? 'vacuum (analyze)' : 'analyze'} ${name}`);
  const { rows: wal } = await db.query<{ bytes: number; changed: number; age: number }>(READ_WAL);
  const { bytes, changed, age } = wal[0]!;
  if (bytes > MAX_WAL_BYTES || (age >= checkpointAfterMs && changed > MIN_CHANGED_BYTES)) await db.script('checkpoint');
}

export const startMaintenance = (db: Pick<Database, 'query' | 'script'>, log: Logger): (() => Promise<void>) =>
  repeat(async () => {
    // A full queue or a dropped table: the next run suffices.
    await maintain(db).catch((error: Error) => log.debug({ error: error.message }, 'database maintenance postponed'));
  }, INTERVAL_MS);
