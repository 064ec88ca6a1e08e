import type { Database } from './database.ts';

/** What does not work, for programs by its part and for people in words. */
export interface Problem {
  part:
    | 'clock'
    | 'database'
    | 'keys'
    | 'migrations'
    | 'listener'
    | 'store'
    | 'disk'
    | 'project'
    | 'server'
    | 'draining';
  reason: string;
}

// What the list of experiments shows first. The lengths make it read the rows and not their index alone.
const LISTED = `select count(*) as known, (select sum(length(title)) from (
    select p.title from private.listings l join public.projects p on p.id = l.project_id
     where l.category = 'all' order by l.created_at desc limit 24) page) as read
  from pg_catalog.pg_class`;
const ANY = 'select 1';
/** Of the migrations that were there at the start, how many are. */
const MIGRATED = 'select count(*)::int as there from supabase_migrations.schema_migrations where version = any($1)';

const AWAY: Problem = { part: 'database', reason: 'The database does not respond.' };
const DAMAGED: Problem = {
  part: 'database',
  reason: 'The database has damaged data: a read failed since the server started. Check the disk and restore a backup.',
};
const OLDER: Problem = {
  part: 'migrations',
  reason:
    'The database lacks migrations that it had when the server started: an older copy or another database took its place.',
};

/** @returns asks what keeps the database from being ready; empty when all is well */
export async function readiness(db: Database): Promise<() => Promise<Problem[]>> {
  const { rows } = await db.query<{ listed: boolean; versions: string[] }>(
    `select to_regclass('private.listings') is not null and to_regclass('public.projects') is not null as listed,
       array(select version from supabase_migrations.schema_migrations) as versions`,
  );
  const { listed, versions } = rows[0]!;
  // Another project's folder may have no such tables.
  const question = listed ? LISTED : ANY;
  return async () => {
    const found = await Promise.all([db.query<{ there: number }>(MIGRATED, [versions]), db.query(question)]).catch(
      () => null,
    );
    if (db.damaged) return [DAMAGED];
    if (!found) return [AWAY];
    return found[0].rows[0]!.there < versions.length ? [OLDER] : [];
  };
}
