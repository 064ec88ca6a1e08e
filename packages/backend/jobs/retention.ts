import { type Database, findRow, hasFunction } from '../database/database.ts';
import { runEach } from '../database/schedule.ts';
import { DELETE_EXPIRED_LIMITS } from '../http/rate-limit.ts';
import { DELETE_FAILED_MAILS, EXPIRE_MAILS } from '../mail/queue.ts';
import { PURGE_ALLOWANCES } from '../storage/upload-allowances.ts';

const ROUTINES = [
  'private.sweep_contact_messages()',
  'private.sweep_notices()',
  'private.sweep_reading_counts()',
  'private.delete_review_addresses()',
  'private.purge_trash()',
  'private.purge_fact_fields()',
  'private.clear_attempts()',
];

/** No role can delete from the audit logs. @throws AggregateError after running the other statements */
export async function deleteExpired(db: Database, auditDays: number): Promise<void> {
  const days = Number(auditDays);
  const text = `select to_regclass('public.audit_log') is not null as has_log,
       array(select name from unnest($1::text[]) name where to_regprocedure(name) is not null) as routines`;
  const found = (await findRow<{ has_log: boolean; routines: string[] }>(db, text, [ROUTINES]))!;
  await runEach(db, [
    DELETE_EXPIRED_LIMITS,
    PURGE_ALLOWANCES,
    EXPIRE_MAILS,
    DELETE_FAILED_MAILS,
    `delete from auth.audit_log_entries where created_at < now() - interval '${days} days'`,
    ...(found.has_log ? [`delete from public.audit_log where at < now() - interval '${days} days'`] : []),
    ...found.routines.map((routine) => `select ${routine}`),
  ]);
}

export async function setTrashRetention(db: Database, days: number): Promise<void> {
  if (await hasFunction(db, 'private.set_trash_days(integer)'))
    await db.query('select private.set_trash_days($1)', [days]);
}

export async function queueDigests(db: Database): Promise<void> {
  if (await hasFunction(db, 'private.queue_digests()')) await db.query('select private.queue_digests()');
}
