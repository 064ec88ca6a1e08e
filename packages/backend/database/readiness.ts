import { type Database, findRow } from './database.ts';

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

// The first page of the list of experiments. The lengths force a read of the rows, not only of their index.
const READ_FIRST_PAGE = `select count(*) as known, (select sum(length(title)) from (
    select p.title from private.listings l join public.projects p on p.id = l.project_id
     where l.category = 'all' order by l.created_at desc limit 24) page) as read
  from pg_catalog.pg_class`;
const COUNT_MIGRATIONS =
  'select count(*)::int as there from supabase_migrations.schema_migrations where version = any($1)';

const UNRESPONSIVE: Problem = { part: 'database', reason: 'The database does not respond.' };
const DAMAGED: Problem = {
  part: 'database',
  reason: 'The database has damaged data: a read failed since the server started. Check the disk and restore a backup.',
};
const OUTDATED: Problem = {
  part: 'migrations',
  reason:
    'The database lacks migrations that it had when the server started: an older copy or another database took its place.',
};

export async function createReadinessCheck(db: Database): Promise<() => Promise<Problem[]>> {
  const text = `select to_regclass('private.listings') is not null and to_regclass('public.projects') is not null as listed,
       array(select version from supabase_migrations.schema_migrations) as versions`;
  const { listed, versions } = (await findRow<{ listed: boolean; versions: string[] }>(db, text))!;
  const probe = listed ? READ_FIRST_PAGE : 'select 1';
  return async () => {
    const results = await Promise.all([
      db.query<{ there: number }>(COUNT_MIGRATIONS, [versions]),
      db.query(probe),
    ]).catch(() => null);
    if (db.isDamaged) return [DAMAGED];
    if (!results) return [UNRESPONSIVE];
    return results[0].rows[0]!.there < versions.length ? [OUTDATED] : [];
  };
}
