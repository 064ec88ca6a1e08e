import type { Logger } from 'pino';
import type { Database } from './database/database.ts';

const EVERY_MS = 60 * 60 * 1000;

/**
 * Forgets lines of both audit logs that are older than the operator wants: the identity service's own, and the one that
 * admins read. Nobody else can remove any.
 */
export async function forgetOldAudit(db: Database, days: number): Promise<void> {
  await db.query('delete from auth.audit_log_entries where created_at < now() - make_interval(days => $1)', [days]);
  const { rows } = await db.query<{ there: boolean }>(`select to_regclass('public.audit_log') is not null as there`);
  // Another project's folder may have no such log.
  if (rows[0]!.there)
    await db.query('delete from public.audit_log where at < now() - make_interval(days => $1)', [days]);
}

/** Does so every hour. @returns a function that stops it and waits for what runs */
export function startForgettingAudit(db: Database, days: number, log: Logger): () => Promise<void> {
  const forget = () =>
    forgetOldAudit(db, days).catch((err: unknown) => log.warn({ err }, 'old lines of the audit log were not removed'));
  let running = forget();
  const timer = setInterval(() => {
    running = forget();
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
