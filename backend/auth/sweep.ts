import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';

const EVERY_MS = 60 * 60 * 1000;

/** What is over and proves nothing any more. Sessions end by themselves only after half a year without a refresh. */
const STATEMENTS = [
  "delete from auth.one_time_tokens where expires_at < now() - interval '1 day'",
  `delete from auth.sessions where not_after < now() - interval '1 day'
     or greatest(created_at, refreshed_at) < now() - interval '180 days'`,
  // The parent of the active token is kept: it may still be presented by a tab that missed the answer.
  `delete from auth.refresh_tokens old where revoked and updated_at < now() - interval '30 days'
     and not exists (select from auth.refresh_tokens active where active.parent = old.token and not active.revoked)`,
  "delete from auth.attempts where last_failed_at < now() - interval '1 day'",
];

/** Removes old sessions, tokens and counters. */
export const sweep = (db: Database): Promise<unknown> => db.batch(STATEMENTS.map((text) => ({ text })));

/** Sweeps every hour. @returns a function that stops it and waits for what runs */
export function startSweeping(db: Database, log: Logger): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = sweep(db).catch((err: unknown) => log.warn({ err }, 'old sessions and tokens were not swept'));
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
