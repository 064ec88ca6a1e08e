import { createHash } from 'node:crypto';
import { limits } from '../../config.ts';
import type { Connection } from '../database/database.ts';

const FREE_GUESSES = limits.passwordGuesses.value;
const LONGEST_WAIT = limits.passwordWait.value;

/** What is guessed at: a password, or a code of a second factor. */
type Guessed = 'password' | 'factor';

/**
 * Slows down guessing at one account, from however many addresses: after ten wrong guesses each further try has
 * to wait twice as long as the one before, up to five minutes. Nobody is ever locked out for good; an hour of quiet
 * or a right one clears it. Unknown accounts are slowed alike, so the delay tells nothing. An address from which the account
 * signed in lately has a count of its own: strangers cannot slow down a person where that person always is.
 *
 * The try is counted before its outcome is known, so that parallel tries cannot slip through.
 * @param from network address of the try, where that may matter
 * @returns 0 when the try may go on, else the seconds to wait
 */
export async function countFailure(
  db: Connection,
  account: string,
  what: Guessed = 'password',
  from: string | null = null,
): Promise<number> {
  const subject = await subjectFor(db, account, what, from);
  const { rows } = await db.query(
    `insert into auth.attempts as a (subject, failures, last_failed_at) values ($1, 1, now())
     on conflict (subject) do update set
       failures = case when a.last_failed_at < now() - interval '1 hour' then 1 else a.failures + 1 end,
       last_failed_at = now(),
       blocked_until = case when a.failures >= ${FREE_GUESSES} and a.last_failed_at >= now() - interval '1 hour'
         then now() + make_interval(secs => least(power(2, least(a.failures - ${FREE_GUESSES}, 20)), ${LONGEST_WAIT})) end
     where a.blocked_until is null or a.blocked_until <= now()
     returning failures`,
    [subject],
  );
  if (rows.length) return 0;
  const blocked = await db.query<{ wait: number }>(
    'select extract(epoch from (blocked_until - now()))::float8 as wait from auth.attempts where subject = $1',
    [subject],
  );
  return Math.max(1, Math.ceil(blocked.rows[0]?.wait ?? 1));
}

/** The guess was right. */
export async function forgetFailures(
  db: Connection,
  account: string,
  what: Guessed = 'password',
  from: string | null = null,
): Promise<void> {
  await db.query('delete from auth.attempts where subject = $1', [await subjectFor(db, account, what, from)]);
  if (from === null) return;
  await db.query(
    `insert into auth.attempts (subject, last_failed_at) values ($1, now())
     on conflict (subject) do update set last_failed_at = now()`,
    [knownPlace(account, from)],
  );
}

/** What counts a guess: the account, or the account at an address where it is known. */
async function subjectFor(db: Connection, account: string, what: Guessed, from: string | null): Promise<string> {
  if (from === null) return subjectOf(account, what);
  const { rows } = await db.query(
    `select from auth.attempts where subject = $1 and last_failed_at > now() - interval '30 days'`,
    [knownPlace(account, from)],
  );
  return subjectOf(rows.length ? `${account}\0${from}` : account, what);
}

/** Its row says by `last_failed_at` when the account last signed in from there. */
const knownPlace = (account: string, from: string) =>
  `place:${createHash('sha256').update(`${account}\0${from}`).digest('base64url')}`;

// What was typed as an address may be anything, even a password: only its hash is kept.
const subjectOf = (account: string, what: Guessed) =>
  `${what}:${createHash('sha256').update(account).digest('base64url')}`;
