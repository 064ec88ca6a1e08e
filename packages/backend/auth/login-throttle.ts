import { hash } from 'node:crypto';
import { limits } from '../config/config.ts';
import { type Connection, findRow, hasRow } from '../database/database.ts';

const FREE_GUESSES = limits.passwordGuesses.value;
const MAX_WAIT_SECONDS = limits.passwordWait.value;
const REMAINING =
  'select extract(epoch from (blocked_until - now()))::float8 as wait from auth.attempts where subject = $1';

type SecretKind = 'password' | 'factor' | 'code';

/**
 * Throttles guesses per account across all client addresses: after ten failures the wait doubles with each try, up to
 * five minutes; an hour without failures or a success resets it. Unknown accounts are throttled alike. An address from
 * which the account signed in within 30 days has its own counter, so that attackers cannot slow down the owner. Counts
 * the try before its outcome is known. @param address client's, where known places matter @returns seconds to wait
 */
export async function countFailure(db: Connection, account: string, kind: SecretKind, address: string | null = null) {
  const subject = await findSubject(db, account, kind, address);
  const text = `insert into auth.attempts as a (subject, failures, last_failed_at) values ($1, 1, now())
     on conflict (subject) do update set
       failures = case when a.last_failed_at < now() - interval '1 hour' then 1 else a.failures + 1 end,
       last_failed_at = now(),
       blocked_until = case when a.failures >= ${FREE_GUESSES} and a.last_failed_at >= now() - interval '1 hour'
         then now() + make_interval(secs => least(power(2, least(a.failures - ${FREE_GUESSES}, 20)), ${MAX_WAIT_SECONDS})) end
     where a.blocked_until is null or a.blocked_until <= now()
     returning failures`;
  if (await hasRow(db, text, [subject])) return 0;
  const blocked = await findRow<{ wait: number }>(db, REMAINING, [subject]);
  return Math.max(1, Math.ceil(blocked?.wait ?? 1));
}

export async function resetFailures(db: Connection, account: string, kind: SecretKind, address: string | null = null) {
  await db.query('delete from auth.attempts where subject = $1', [await findSubject(db, account, kind, address)]);
  if (address === null) return;
  const text = `insert into auth.attempts (subject, last_failed_at) values ($1, now())
     on conflict (subject) do update set last_failed_at = now()`;
  await db.query(text, [knownAddressKey(account, address)]);
}

async function findSubject(db: Connection, account: string, kind: SecretKind, address: string | null): Promise<string> {
  if (address === null) return subjectOf(account, kind);
  const known = "select from auth.attempts where subject = $1 and last_failed_at > now() - interval '30 days'";
  const isKnown = await hasRow(db, known, [knownAddressKey(account, address)]);
  return subjectOf(isKnown ? `${account}\0${address}` : account, kind);
}

const knownAddressKey = (account: string, address: string) =>
  `place:${hash('sha256', `${account}\0${address}`, 'base64url')}`;

// Hashed, because users type anything into the address field, even a password.
const subjectOf = (account: string, kind: SecretKind) => `${kind}:${hash('sha256', account, 'base64url')}`;
