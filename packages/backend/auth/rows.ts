import { type Connection, findRow, type Value } from '../database/database.ts';

export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

type Columns = Record<string, Value>;

/** Inserts a row into a table of the schema `auth`. @returns its id; null when a unique value is taken */
export async function insertRow(tx: Connection, table: string, columns: Columns): Promise<string | null> {
  const names = Object.keys(columns);
  const text = `insert into auth.${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})
    on conflict do nothing returning id`;
  return (await findRow<{ id: string }>(tx, text, Object.values(columns)))?.id ?? null;
}

export async function setUserColumns(tx: Connection, userId: string, columns: Columns): Promise<void> {
  const assignments = Object.keys(columns).map((name, at) => `${name} = $${at + 2}`);
  await tx.query(`update auth.users set updated_at = now(), ${assignments.join(', ')} where id = $1`, [
    userId,
    ...Object.values(columns),
  ]);
}
