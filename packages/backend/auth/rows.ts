import { type Connection, findRow, type Value } from '../database/database.ts';

export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

type Columns = Record<string, Value>;

/** Inserts a row into a table of the schema `auth`. @returns its id @throws DatabaseError when a unique value is taken */
export const insertRow = async (tx: Connection, table: string, columns: Columns): Promise<string> =>
  (await insert(tx, table, columns, ''))!;

/** Like `insertRow`. @returns null when a unique value is taken */
export const insertUnlessTaken = (tx: Connection, table: string, columns: Columns): Promise<string | null> =>
  insert(tx, table, columns, 'on conflict do nothing');

async function insert(tx: Connection, table: string, columns: Columns, onConflict: string): Promise<string | null> {
  const names = Object.keys(columns);
  const places = names.map((_, at) => `$${at + 1}`);
  const text = `insert into auth.${table} (${names.join(', ')}) values (${places.join(', ')}) ${onConflict} returning id`;
  return (await findRow<{ id: string }>(tx, text, Object.values(columns)))?.id ?? null;
}

export async function setUserColumns(tx: Connection, userId: string, columns: Columns): Promise<void> {
  const assignments = Object.keys(columns).map((name, at) => `${name} = $${at + 2}`);
  const text = `update auth.users set updated_at = now(), ${assignments.join(', ')} where id = $1`;
  await tx.query(text, [userId, ...Object.values(columns)]);
}
