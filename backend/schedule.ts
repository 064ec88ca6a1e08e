import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from './database/database.ts';

const HOUR_SECONDS = 60 * 60;
/** Whoever is at some work and is not heard of for so long has died; then another process begins it anew. */
const LEASE_SECONDS = 10 * 60;
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
/** A start has better things to do than to ask what is due. */
const FIRST_LOOK_MS = 60_000;
const LEAST_WAIT_MS = 1_000;

// Nobody is ever at the same work twice: who comes second waits for the row and finds it claimed. Work that nobody knew is
// due in an hour.
const CLAIM = `insert into internal.schedule as job (name, due_at, claimed_by) values
    ($1, now() + make_interval(secs => case when $3 then ${LEASE_SECONDS} else ${HOUR_SECONDS} end), case when $3 then $2::uuid end)
  on conflict (name) do update set claimed_by = $2, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where job.due_at <= now() or ($3 and (job.claimed_by is null or $4))
  returning claimed_by is not null as claimed`;
const RENEW = `update internal.schedule set due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  where name = $1 and claimed_by = $2`;
const DONE = `update internal.schedule set claimed_by = null, due_at = now() + make_interval(secs => ${HOUR_SECONDS})
  where name = $1 and claimed_by = $2`;
const LEASE = `insert into internal.schedule as job (name, due_at, claimed_by)
  values ($1, now() + make_interval(secs => ${LEASE_SECONDS}), $2)
  on conflict (name) do update set claimed_by = $2, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where job.due_at <= now() or $3
  returning name`;
const RELEASE = 'delete from internal.schedule where name = $1 and claimed_by = $2';
const NEXT_DUE =
  'select extract(epoch from due_at - now())::float8 * 1000 as ms from internal.schedule where name = $1';

interface Scheduled {
  db: Database;
  /** The same in every process. */
  name: string;
  log: Logger;
  /** What the log says when it fails. */
  complaint: string;
  /** Do it now as well, unless another process is at it. */
  atOnce?: boolean;
}

/**
 * Does something once an hour, beside the requests, in whichever process of the house comes first; what fails is logged
 * and done again an hour later, and what a process was at when it died is begun anew by another.
 * @returns a function that stops it and waits for what runs
 */
export function everyHour(work: () => Promise<unknown>, { atOnce = false, ...job }: Scheduled): () => Promise<void> {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const look = async (now: boolean) => {
    const wait = await doWhenDue(work, { ...job, atOnce: now });
    if (!closed) lookIn(wait);
  };
  const lookIn = (ms: number) => {
    timer = setTimeout(() => {
      running = look(false);
    }, ms).unref();
  };
  if (atOnce) running = look(true);
  else lookIn(FIRST_LOOK_MS);
  return async () => {
    closed = true;
    clearTimeout(timer);
    await running;
  };
}

/** Does it if it is due and nobody else is at it. @returns when to look again, milliseconds */
export async function doWhenDue(
  work: () => Promise<unknown>,
  { db, name, log, complaint, atOnce = false }: Scheduled,
): Promise<number> {
  const self = randomUUID();
  // An embedded database has one process: whoever was at it before is gone.
  const alone = db.engine === 'pglite';
  try {
    const { rows } = await db.query<{ claimed: boolean }>(CLAIM, [name, self, atOnce, alone]);
    if (rows[0]?.claimed) {
      const claimed = setInterval(() => db.query(RENEW, [name, self]).catch(() => {}), RENEW_MS).unref();
      await work()
        .catch((err: unknown) => log.warn({ err }, complaint))
        .finally(() => clearInterval(claimed));
      await db.query(DONE, [name, self]);
    }
    const due = await db.query<{ ms: number }>(NEXT_DUE, [name]);
    return Math.max(due.rows[0]?.ms ?? 0, LEAST_WAIT_MS);
  } catch (err) {
    log.warn({ err }, complaint);
    return LEASE_SECONDS * 1000;
  }
}

/**
 * Takes a name that one process of an installation holds at a time. The lease of a process that died ends after ten
 * minutes; with the embedded database, which has one process, at once.
 * @returns a function that releases it; null while another process holds it
 */
export async function takeLease(db: Database, name: string): Promise<(() => Promise<void>) | null> {
  const self = randomUUID();
  const { rows } = await db.query(LEASE, [name, self, db.engine === 'pglite']);
  if (!rows.length) return null;
  const renewing = setInterval(() => db.query(RENEW, [name, self]).catch(() => {}), RENEW_MS).unref();
  return async () => {
    clearInterval(renewing);
    await db.query(RELEASE, [name, self]);
  };
}

/**
 * Runs statements one after the other. What one of them refuses does not keep the others from their work.
 * @throws AggregateError of what was refused
 */
export async function runEach(db: Database, statements: readonly string[]): Promise<void> {
  const refused: unknown[] = [];
  for (const text of statements) await db.query(text).catch((error: unknown) => refused.push(error));
  if (refused.length) throw new AggregateError(refused, 'scheduled clean-up failed');
}
