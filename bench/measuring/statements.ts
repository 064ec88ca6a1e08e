import postgres from 'postgres';
import type { TestPostgres } from '../../tests/programs/postgres.ts';

/** Enables pg_stat_statements, which needs a restart of the server. */
export async function countStatements(database: TestPostgres): Promise<void> {
  const request = async (statement: string) => {
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    await sql.unsafe(statement).finally(() => sql.end());
  };
  await request(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await database.crash();
  await database.start();
  // Not in a schema that guests can read: it notifies no changes, so no data would be cached.
  await request('create schema if not exists bench; create extension if not exists pg_stat_statements schema bench');
}

/** Number of client statements that one database, or all databases of a server, have run, without the listener's. */
export async function statementsSoFar(sql: postgres.Sql, database: string | null = null): Promise<number> {
  const [row] = await sql`
    select coalesce(sum(calls), 0)::int as calls from bench.pg_stat_statements
    where query not like '%still listening%' and query not like '%pg_stat_%'
      and (${database}::text is null or dbid = (select oid from pg_database where datname = ${database}))`;
  return row!['calls'] as number;
}
