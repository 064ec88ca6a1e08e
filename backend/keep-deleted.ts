import type { Database } from './database/database.ts';

/** Tells the trash how long it keeps what was deleted. Another project's folder may have no trash. */
export async function keepDeletedFor(db: Database, days: number): Promise<void> {
  const { rows } = await db.query<{ trash: boolean }>(
    `select to_regprocedure('private.keep_deleted_for(integer)') is not null as trash`,
  );
  if (rows[0]!.trash) await db.query('select private.keep_deleted_for($1)', [days]);
}
