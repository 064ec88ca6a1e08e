import { type Database, quoteName } from '../../database/database.ts';
import type { Column } from './catalog.ts';

interface RelationRow {
  oid: string;
  schema: string;
  name: string;
  kind: string;
  guarded: boolean;
  /** Bits of pg_relation_is_updatable: 4 update, 8 insert, 16 delete. */
  updatable: number;
  roles: string[];
  comment: string | null;
  rule: string | null;
}

export interface ColumnRow extends Pick<Column, 'name' | 'nullable' | 'default' | 'comment'> {
  relation: string;
  number: number;
  type: string;
  display: string;
  indexed: boolean;
}

export interface TypeRow {
  oid: string;
  schema: string;
  name: string;
  display: string;
  kind: string;
  base: string;
  relation: string;
  labels: string[] | null;
}

export interface KeyRow {
  name: string;
  kind: 'p' | 'u' | 'f';
  relation: string;
  foreign: string;
  columns: number[];
  foreignColumns: number[] | null;
}

export interface RoutineRow {
  schema: string;
  name: string;
  isAggregate: boolean;
  volatility: string;
  isSet: boolean;
  rows: number;
  variadic: boolean;
  defaults: number;
  modes: string[] | null;
  names: string[] | null;
  types: string[];
  result: string;
  roles: string[];
  comment: string | null;
}

export interface CatalogRows {
  relations: RelationRow[];
  columns: ColumnRow[];
  types: TypeRow[];
  keys: KeyRow[];
  routines: RoutineRow[];
}

const ROLES = `(select rolname from pg_catalog.pg_roles where rolname in ('anon', 'authenticated', 'service_role'))`;

const RELATIONS = `
select c.oid::text as oid, n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind, c.relrowsecurity as guarded,
  pg_catalog.pg_relation_is_updatable(c.oid, true)::int as updatable,
  to_json(array(select r.rolname::text from ${ROLES} r
    where has_table_privilege(r.rolname, c.oid, 'SELECT, INSERT, UPDATE, DELETE')
       or has_any_column_privilege(r.rolname, c.oid, 'SELECT, INSERT, UPDATE'))) as roles,
  pg_catalog.obj_description(c.oid, 'pg_class') as comment,
  case when c.relkind in ('v', 'm') then
    (select w.ev_action::text from pg_catalog.pg_rewrite w where w.ev_class = c.oid and w.rulename = '_RETURN') end as rule
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = any($1::text[]) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
order by n.nspname, c.relname`;

const COLUMNS = `
select a.attrelid::text as relation, a.attnum::int as number, a.attname::text as name, a.atttypid::text as type,
  pg_catalog.format_type(a.atttypid, a.atttypmod) as display, not a.attnotnull as nullable,
  case when a.attgenerated <> '' then null
       when a.attidentity <> '' then format('nextval(%L::regclass)', pg_catalog.pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
       else coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), pg_catalog.pg_get_expr(t.typdefaultbin, 0)) end as default,
  pg_catalog.col_description(a.attrelid, a.attnum) as comment,
  exists (select from pg_catalog.pg_index i
    join pg_catalog.pg_class ic on ic.oid = i.indexrelid
    join pg_catalog.pg_am m on m.oid = ic.relam
    where i.indrelid = a.attrelid and a.attnum = any(i.indkey) and m.amname in ('gin', 'gist')) as indexed
from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = a.atttypid
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p', 'c')
  and (n.nspname = any($1::text[]) or c.oid in (
    select t.typrelid from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace f on f.oid = p.pronamespace
      join pg_catalog.pg_type t on t.oid = p.prorettype
    where f.nspname = any($1::text[]) and t.typrelid <> 0))
order by a.attrelid, a.attnum`;

const TYPES = `
select t.oid::text as oid, n.nspname::text as schema, t.typname::text as name,
  pg_catalog.format_type(t.oid, null) as display, t.typtype::text as kind,
  t.typbasetype::text as base, t.typrelid::text as relation,
  case when t.typtype = 'e' then to_json(array(
    select e.enumlabel::text from pg_catalog.pg_enum e where e.enumtypid = t.oid order by e.enumsortorder)) end as labels
from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace`;

const KEYS = `
select k.conname::text as name, k.contype::text as kind, k.conrelid::text as relation, k.confrelid::text as foreign,
  to_json(k.conkey) as columns, to_json(k.confkey) as "foreignColumns"
from pg_catalog.pg_constraint k join pg_catalog.pg_namespace n on n.oid = k.connamespace
where k.contype in ('p', 'u', 'f') and k.conparentid = 0 and n.nspname not in ('pg_catalog', 'information_schema')
order by k.conname, k.oid`;

const ROUTINES = `
select n.nspname::text as schema, p.proname::text as name, p.prokind = 'a' as "isAggregate", p.provolatile::text as volatility, p.proretset as "isSet",
  p.prorows::int as rows, p.provariadic <> 0 as variadic, p.pronargdefaults::int as defaults,
  to_json(p.proargmodes::text[]) as modes, to_json(p.proargnames) as names,
  to_json(coalesce(p.proallargtypes, p.proargtypes::oid[])::text[]) as types, p.prorettype::text as result,
  to_json(array(select r.rolname::text from ${ROLES} r where has_function_privilege(r.rolname, p.oid, 'EXECUTE'))) as roles,
  pg_catalog.obj_description(p.oid, 'pg_proc') as comment
from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_type t on t.oid = p.prorettype
where (p.prokind = 'f' or p.prokind = 'a' and p.pronargs = 1 and t.typname like '%/%') and n.nspname = any($1::text[])
  and t.typname not in ('trigger', 'event_trigger', 'internal', 'cstring', 'language_handler', 'fdw_handler', 'index_am_handler')
order by p.proname, p.oid`;

export async function readCatalogRows(db: Database, schemas: readonly string[]): Promise<CatalogRows> {
  const valuesOf = (text: string) => (text.includes('$1') ? [schemas] : []);
  const statements = [RELATIONS, COLUMNS, TYPES, KEYS, ROUTINES].map((text) => ({ text, values: valuesOf(text) }));
  const results = await db.batch(statements, { readOnly: true });
  const [relations, columns, types, keys, routines] = results.map(({ rows }) => rows);
  return { relations, columns, types, keys, routines } as unknown as CatalogRows;
}

/** Resolves types through domains. @param more properties of a table's column only */
export function columnOf(
  name: string,
  oid: string,
  types: ReadonlyMap<string, TypeRow>,
  more?: Pick<ColumnRow, 'display' | 'nullable' | 'default' | 'comment' | 'indexed'>,
): Column {
  const type = types.get(oid)!;
  let base = type;
  while (base.kind === 'd') base = types.get(base.base)!;
  const sql = ({ schema, name: typeName }: TypeRow) => `${quoteName(schema)}.${quoteName(typeName)}`;
  return {
    name,
    sql: quoteName(name),
    type: sql(type),
    baseType: sql(base),
    baseName: base.name,
    displayType: more?.display ?? type.display,
    labels: base.labels,
    isRichText: type.kind === 'd' && type.name === 'rich_text',
    nullable: more?.nullable ?? true,
    default: more?.default ?? null,
    comment: more?.comment ?? null,
    isIndexed: more?.indexed ?? false,
  };
}
