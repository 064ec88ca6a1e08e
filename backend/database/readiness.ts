import type { Database } from './database.ts';

// What the list of experiments shows first. The lengths make it read the rows and not their index alone.
const LISTED = `select count(*) as known, (select sum(length(title)) from (
    select p.title from private.listings l join public.projects p on p.id = l.project_id
     where l.category = 'all' order by l.created_at desc limit 24) page) as read
  from pg_catalog.pg_class`;

const AWAY = 'The database does not answer.';
const DAMAGED =
  'The database holds damaged data: since the server started, something in it could not be read. Check the disk and restore a backup.';

/** @returns asks what keeps the database from being ready, in words; empty when all is well */
export async function readiness(db: Database): Promise<() => Promise<string[]>> {
  const { rows } = await db.query<{ listed: boolean }>(
    `select to_regclass('private.listings') is not null and to_regclass('public.projects') is not null as listed`,
  );
  // Another project's folder may have no such tables.
  const question = rows[0]!.listed ? LISTED : 'select 1';
  return async () => {
    const answered = await db.query(question).then(
      () => true,
      () => false,
    );
    if (db.damaged) return [DAMAGED];
    return answered ? [] : [AWAY];
  };
}
