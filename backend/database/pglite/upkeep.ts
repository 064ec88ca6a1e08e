import type { Logger } from 'pino';
import type { Database } from '../database.ts';

/** Often: plans made for a few rows are kept until statistics change, and read every row of a table that grows fast. */
const EVERY_MS = 10_000;
const MOST_LOG_BYTES = 32 * 1024 * 1024;
/** What is not yet in the tables is never much older. */
const CHECKPOINT_AFTER_MS = 4 * 60_000;
/** More than a checkpoint's own record and less than any change with its commit. */
const NOTHING_BYTES = 200;

const LOG = `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int8 as bytes,
    pg_wal_lsn_diff(pg_current_wal_lsn(), checkpoint_lsn)::int8 as changed,
    (extract(epoch from clock_timestamp() - checkpoint_time) * 1000)::float8 as age
  from pg_control_checkpoint()`;

// The thresholds of PostgreSQL's own autovacuum.
const NEGLECTED = `select format('%I.%I', schemaname, relname) as name, n_dead_tup > 50 + 0.2 * n_live_tup as dead
  from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup`;

/**
 * What a PostgreSQL server does in the background and an engine with one session cannot: without checkpoints the log
 * grows for ever and all that is new stands on it alone, and without statistics the planner guesses. Each step is a turn of
 * its own in the line.
 * @param checkpointAfterMs write a checkpoint when the last one is older and anything changed since
 */
export async function upkeep(
  db: Pick<Database, 'query' | 'script'>,
  checkpointAfterMs = CHECKPOINT_AFTER_MS,
): Promise<void> {
  // The engine counts changes, but tells others only now and then.
  await db.query('select pg_stat_force_next_flush()');
  const { rows: tables } = await db.query<{ name: string; dead: boolean }>(NEGLECTED);
  for (const { name, dead } of tables) await db.script(`${dead ? 'vacuum (analyze)' : 'analyze'} ${name}`);
  const { rows: log } = await db.query<{ bytes: number; changed: number; age: number }>(LOG);
  const { bytes, changed, age } = log[0]!;
  if (bytes > MOST_LOG_BYTES || (age >= checkpointAfterMs && changed > NOTHING_BYTES)) await db.script('checkpoint');
}

/** Does the upkeep now and then. @returns ends it */
export function keepUp(db: Pick<Database, 'query' | 'script'>, log: Logger): () => void {
  let timer: NodeJS.Timeout;
  const schedule = (ms: number) => {
    timer = setTimeout(async () => {
      // A full line or a table that was dropped meanwhile: the next time is soon enough.
      await upkeep(db).catch((error: Error) => log.debug({ error: error.message }, 'database maintenance postponed'));
      if (!ended) schedule(EVERY_MS);
    }, ms).unref();
  };
  let ended = false;
  schedule(EVERY_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
