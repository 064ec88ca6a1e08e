import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from './database.ts';

const HOUR_SECONDS = 60 * 60;
/** A claim without renewal expires after this time, and another process restarts the job. */
const LEASE_SECONDS = 10 * 60;
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
const FIRST_CHECK_MS = 60_000;
const MIN_WAIT_MS = 1_000;

// A job never runs twice at once: the second process waits for the row and finds it claimed. A new one is due in an hour;
// what is due later was written while the clock was wrong.
const CLAIM = `insert into internal.schedule as job (name, due_at, claimed_by) values
    ($1, now() + make_interval(secs => case when $3 then ${LEASE_SECONDS} else ${HOUR_SECONDS} end), case when $3 then $2::uuid end)
  on conflict (name) do update set claimed_by = $2, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where job.due_at not between now() and now() + make_interval(secs => 2 * ${HOUR_SECONDS}) or ($3 and (job.claimed_by is null or $4))
  returning claimed_by is not null as claimed`;
const RENEW = `update internal.schedule set due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  where name = $1 and claimed_by = $2`;
const DONE = `update internal.schedule set claimed_by = null, due_at = now() + make_interval(secs => ${HOUR_SECONDS})
  where name = $1 and claimed_by = $2`;
const RELEASE = 'delete from internal.schedule where name = $1 and claimed_by = $2';
const NEXT_DUE =
  'select extract(epoch from due_at - now())::float8 * 1000 as ms from internal.schedule where name = $1';

/** Runs a job after each pause, never twice at once. It handles its own failures. @returns stops it and waits for it */
export function repeat(job: () => Promise<unknown>, everyMs: number, immediately = false): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const run = () => {
    running ??= job().finally(() => (running = null));
  };
  if (immediately) run();
  const timer = setInterval(run, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

type Scheduled = { db: Database; name: string; log: Logger; immediately?: boolean };

/** In one process; failures are logged and retried in an hour. @returns stops it, and waits for a running job */
export function runHourly(job: () => Promise<unknown>, { immediately = false, ...options }: Scheduled) {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const check = async (now: boolean) => {
    const wait = await runIfDue(job, { ...options, immediately: now });
    if (!closed) checkIn(wait);
  };
  const checkIn = (ms: number) => {
    timer = setTimeout(() => (running = check(false)), ms).unref();
  };
  if (immediately) running = check(true);
  else checkIn(FIRST_CHECK_MS);
  return async () => {
    closed = true;
    clearTimeout(timer);
    await running;
  };
}

export async function runIfDue(job: () => Promise<unknown>, { db, name, log, immediately = false }: Scheduled) {
  const reportFailure = (err: unknown) => log.warn({ err, job: name }, 'hourly job failed');
  try {
    const finish = await claim(db, name, { immediately, end: DONE });
    if (finish) {
      await job().catch(reportFailure);
      await finish();
    }
    const due = await db.query<{ ms: number }>(NEXT_DUE, [name]);
    return Math.max(due.rows[0]?.ms ?? 0, MIN_WAIT_MS);
  } catch (err) {
    reportFailure(err);
    return LEASE_SECONDS * 1000;
  }
}

/**
 * One process holds the name at a time; the lease of a crashed one expires after ten minutes, embedded immediately.
 * @returns releases it; null while another process holds it
 */
export const acquireLease = (db: Database, name: string): Promise<(() => Promise<void>) | null> =>
  claim(db, name, { immediately: true, end: RELEASE });

async function claim(db: Database, name: string, { immediately, end }: { immediately: boolean; end: string }) {
  const self = randomUUID();
  // An embedded database has a single process: earlier claims are stale.
  const { rows } = await db.query<{ claimed: boolean }>(CLAIM, [name, self, immediately, db.engine === 'pglite']);
  if (!rows[0]?.claimed) return null;
  const renewing = setInterval(() => db.query(RENEW, [name, self]).catch(() => {}), RENEW_MS).unref();
  return async () => {
    clearInterval(renewing);
    await db.query(end, [name, self]);
  };
}

/** Runs all statements even when some fail. @throws AggregateError of the failures */
export async function runEach(db: Database, statements: readonly string[]): Promise<void> {
  const failures: unknown[] = [];
  for (const text of statements) await db.query(text).catch((error: unknown) => failures.push(error));
  if (failures.length) throw new AggregateError(failures, 'scheduled clean-up failed');
}
