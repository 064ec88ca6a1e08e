import { type Connection, findRow, quoteName, type Transaction } from '../database/database.ts';
import type { ArchivedTable, Manifest } from './manifest.ts';

/** Every row is one line, a JSON array of its values as PostgreSQL's own text. */

export type Column = { name: string; type: string };

export type Table = { schema: string; name: string; columns: Column[] };

const FETCH_ROWS = 200;

// Makes the text format the same on every server.
const TEXT_FORMAT_SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
};

// Excluded: migration ledger, extensions, generated columns, transaction ids, unlogged tables, bytes without objects.
const TABLES = `
  select n.nspname as schema, c.relname as name,
    coalesce((select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
       from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and a.atttypid <> 'xid8'::regtype), '[]') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'supabase_migrations')
    and (n.nspname <> 'storage' or c.relname not in
      ('unfinished_uploads', 'unfinished_pieces', 'sent_objects', 'removed_bytes', 'compared_shelves', 'installation'))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by n.nspname collate "C", c.relname collate "C"`;

const SEQUENCES = `
  select n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'S' and n.nspname !~ '^pg_' and n.nspname <> 'supabase_migrations'
  order by n.nspname collate "C", c.relname collate "C"`;

const quotedName = ({ schema, name }: Pick<Table, 'schema' | 'name'>) => `${quoteName(schema)}.${quoteName(name)}`;

export async function setTextFormat(tx: Connection): Promise<void> {
  for (const [setting, value] of Object.entries(TEXT_FORMAT_SETTINGS))
    await tx.query('select set_config($1, $2, true)', [setting, value]);
}

export const readTables = async (tx: Connection): Promise<Table[]> => (await tx.query<Table>(TABLES)).rows;

export async function readTablesBytes(db: Connection): Promise<number> {
  const text = `select coalesce(sum(pg_table_size(format('%I.%I', schema, name)::regclass)), 0)::int8 as size from (${TABLES}) as t`;
  return (await findRow<{ size: number }>(db, text))!.size;
}

export async function readSequences(tx: Connection): Promise<Manifest['sequences']> {
  const { rows } = await tx.query<{ schema: string; name: string }>(SEQUENCES);
  const sequences: Manifest['sequences'] = [];
  for (const sequence of rows) {
    const text = `select last_value::text as last, is_called as called from ${quotedName(sequence)}`;
    sequences.push({ ...sequence, ...(await findRow<{ last: string; called: boolean }>(tx, text))! });
  }
  return sequences;
}

/** Yields lines in batches; call `setTextFormat` first. @param nullColumns columns to replace by null */
export async function* readRows(tx: Transaction, { columns, ...table }: Table, nullColumns: readonly string[] = []) {
  const values = columns
    .map(({ name }) => (nullColumns.includes(name) ? 'null' : `${quoteName(name)}::text`))
    .join(', ');
  await tx.script(
    `declare archived no scroll cursor for select to_json(array[${values}]::text[])::text as line from only ${quotedName(table)}`,
  );
  for (;;) {
    const { rows } = await tx.query<{ line: string }>(`fetch ${FETCH_ROWS} from archived`);
    if (rows.length) yield rows.map(({ line }) => line);
    if (rows.length < FETCH_ROWS) break;
  }
  await tx.script('close archived');
}

// Needs no superuser: disables the project's triggers, and checks foreign keys at the end.
const GUARDS = `
  select format('alter table %s disable trigger %I', t.tgrelid::regclass, t.tgname) as before,
    format('alter table %s enable %s trigger %I', t.tgrelid::regclass,
      case t.tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, t.tgname) as after
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where not t.tgisinternal and t.tgenabled <> 'D' and n.nspname !~ '^pg_'
  union all
  select format('alter table %s alter constraint %I deferrable initially deferred', k.conrelid::regclass, k.conname),
    format('alter table %s alter constraint %I %s', k.conrelid::regclass, k.conname,
      case when k.condeferred then 'deferrable initially deferred' when k.condeferrable then 'deferrable initially immediate'
        else 'not deferrable' end)
  from pg_constraint k join pg_namespace n on n.oid = k.connamespace
  where k.contype = 'f' and k.conparentid = 0 and n.nspname !~ '^pg_'`;

/** Replaces all rows without the project's triggers; foreign keys are checked at the end. @param fill uses `insertLines` */
export async function replaceRows(
  tx: Transaction,
  { tables, sequences }: Pick<Manifest, 'tables' | 'sequences'>,
  fill: () => Promise<void>,
): Promise<void> {
  const { rows: guards } = await tx.query<{ before: string; after: string }>(GUARDS);
  await tx.script(guards.map(({ before }) => before).join(';\n'));
  await tx.script(`truncate ${tables.map(quotedName).join(', ')} cascade`);
  await fill();
  for (const { last, called, ...sequence } of sequences)
    await tx.query('select setval($1::regclass, $2::text::bigint, $3)', [quotedName(sequence), last, called]);
  await tx.script('set constraints all immediate');
  await tx.script(guards.map(({ after }) => after).join(';\n'));
}

/** @param columns in the order of a line's values */
export async function insertLines(
  tx: Connection,
  { columns, ...table }: Pick<Table, 'schema' | 'name' | 'columns'>,
  lines: readonly string[],
): Promise<void> {
  if (!columns.length) {
    for (const _ of lines) await tx.query(`insert into ${quotedName(table)} default values`);
    return;
  }
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  const values = columns.map(({ type }, at) => `(line ->> ${at})::${type}`).join(', ');
  await tx.query(
    `insert into ${quotedName(table)} (${names}) overriding system value
     select ${values} from jsonb_array_elements($1::text::jsonb) as line`,
    [`[${lines.join(',')}]`],
  );
}

/** @throws Error when the table or a column is missing */
export function matchTable(tables: readonly Table[], { schema, name, columns }: ArchivedTable): Table {
  const found = tables.find((table) => table.schema === schema && table.name === name);
  const matched = columns.map((column) => found?.columns.find((candidate) => candidate.name === column));
  if (!found || matched.includes(undefined))
    throw new Error(
      `The archive has ${found ? `columns of ${schema}.${name}` : `a table ${schema}.${name}`} that this version does not know. Load it with the version that made it.`,
    );
  return { schema, name, columns: matched as Column[] };
}
