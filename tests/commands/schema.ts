import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../packages/backend/database/database.ts';
import { migrate } from '../../packages/backend/database/migrate.ts';
import { engines, SCHEMA } from '../database.ts';

/** Not below `supabase/`, where the Supabase CLI would treat the folder as source. */
export const SCHEMA_DIR = join(import.meta.dirname, '..', '..', 'docs', 'schema');

export interface SchemaObject {
  oid: string;
  /** 1 for functions, which are listed after tables. */
  isFunction: boolean;
  table: string;
  sql: string;
}

const grants = (acl: string, owner: string, kind: string, name: string) => `(
  select string_agg(format(E'\\ngrant %s on ${kind}%s to %s;', privileges, ${name}, grantee), '' order by grantee, privileges)
  from (
    select string_agg(lower(privilege_type), ', ' order by privilege_type) as privileges, coalesce(rolname, 'public') as grantee
    from aclexplode(${acl}) left join pg_roles on pg_roles.oid = grantee where grantee <> ${owner} group by rolname
  ) as granted
)`;

const comment = (kind: string, name: string, text: string) =>
  `case when ${text} is not null then format(E'\\ncomment on ${kind} %s is %L;', ${name}, ${text}) end`;

/** Selects every object of the product, and its additions to the tables of Supabase. */
const OBJECTS = `
with names as (
  select class.oid, class.relowner, class.relacl, relkind, relrowsecurity, relforcerowsecurity, format('%s.%I', nspname, relname) as name, nspname
  from pg_class class join pg_namespace space on space.oid = relnamespace
  where nspname in ('public', 'private', 'auth', 'storage') and not exists (select from pg_depend where objid = class.oid and deptype = 'e')
)
select oid::text, false as "isFunction", oid::text as "table", concat('create schema ', nspname, ';', ${comment('schema', 'nspname', `obj_description(oid, 'pg_namespace')`)}, ${grants('nspacl', 'nspowner', 'schema ', 'nspname')}) as sql
from pg_namespace where nspname = 'private'
union all
select type.oid::text, false, type.oid::text, concat(
  format('create domain %s.%I as %s', nspname, typname, format_type(typbasetype, typtypmod)),
  (select string_agg(format(E'\\n  constraint %I %s', conname, pg_get_constraintdef(oid, true)), '' order by conname) from pg_constraint where contypid = type.oid), ';',
  ${comment('domain', `'public.' || typname`, `obj_description(type.oid, 'pg_type')`)}
)
from pg_type type join pg_namespace space on space.oid = typnamespace where typtype = 'd' and nspname in ('public', 'private')
union all
select oid::text, false, oid::text, concat(
  'create table ', name, E' (\\n  ', (
    select string_agg(line, E',\\n  ' order by part, place) from (
      select 1 as part, attnum as place, concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
        case when attidentity <> '' then 'generated always as identity' end, case when attnotnull then 'not null' end,
        case when attgenerated = 's' then 'generated always as (' || pg_get_expr(adbin, adrelid) || ') stored' else 'default ' || pg_get_expr(adbin, adrelid) end,
        case when attstorage <> typstorage then 'storage ' || case attstorage when 'm' then 'main' else attstorage::text end end,
        'statistics ' || nullif(attstattarget, -1)) as line
      from pg_attribute join pg_type on pg_type.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = names.oid and attnum > 0 and not attisdropped
      union all
      select 2, row_number() over (order by contype <> 'p', conname), format('constraint %I %s', conname, pg_get_constraintdef(oid, true))
      from pg_constraint where conrelid = names.oid and contype <> 'n'
    ) as lines
  ), E'\\n);',
  ${comment('table', 'name', `obj_description(oid, 'pg_class')`)}, (
    select string_agg(${comment('column', `name || '.' || quote_ident(attname)`, 'description')}, '' order by attnum)
    from pg_attribute join pg_description on objoid = attrelid and objsubid = attnum where attrelid = names.oid and attnum > 0
  ),
  case when relrowsecurity then format(E'\\nalter table %s enable row level security;', name) end,
  case when relforcerowsecurity then format(E'\\nalter table %s force row level security;', name) end,
  ${grants('relacl', 'relowner', '', 'name')}, (
    select string_agg(format(E'\\ngrant %s (%s) on %s to %s;', privilege, columns, name, grantee), '' order by grantee, privilege) from (
      select lower(privilege_type) as privilege, coalesce(rolname, 'public') as grantee, string_agg(attname, ', ' order by attnum) as columns
      from pg_attribute, aclexplode(attacl) left join pg_roles on pg_roles.oid = grantee where attrelid = names.oid group by 1, 2
    ) as granted
  )
)
from names where relkind = 'r'
union all
select names.oid::text, false, indrelid::text, pg_get_indexdef(names.oid) || ';'
from names join pg_index on indexrelid = names.oid where not exists (select from pg_constraint where conindid = names.oid)
union all
select policy.oid::text, false, polrelid::text, concat(
  format('create policy %I on %s for %s to %s', polname, name, case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    (select string_agg(rolname, ', ' order by rolname) from pg_roles where oid = any (polroles))),
  E'\\n  using (' || pg_get_expr(polqual, polrelid) || ')', E'\\n  with check (' || pg_get_expr(polwithcheck, polrelid) || ')', ';'
)
from pg_policy policy join names on names.oid = polrelid
union all
select pg_trigger.oid::text, false, tgrelid::text, pg_get_triggerdef(pg_trigger.oid, true) || ';'
from pg_trigger join names on names.oid = tgrelid where not tgisinternal
union all
select function.oid::text, true, function.oid::text, concat(
  rtrim(pg_get_functiondef(function.oid), E'\\n '), ';',
  ${comment('function', 'function.oid::regprocedure', `obj_description(function.oid, 'pg_proc')`)},
  ${grants(`coalesce(proacl, acldefault('f', proowner))`, 'proowner', 'function ', 'function.oid::regprocedure')}
)
from pg_proc function join pg_namespace space on space.oid = pronamespace
where nspname in ('public', 'private', 'auth', 'storage') and prokind = 'f' and not exists (select from pg_depend where objid = function.oid and deptype = 'e')`;

/** An empty search path makes PostgreSQL qualify every name. */
const readObjects = (db: Database) =>
  db.transaction(async (tx) => {
    await tx.script(`set local search_path = ''`);
    return (await tx.query<SchemaObject>(OBJECTS)).rows;
  });

export async function readSchema(migrationsDir = SCHEMA.migrationsDir): Promise<Map<string, SchemaObject[]>> {
  const { db, end } = await engines[0].open();
  try {
    await migrate(db, { ...SCHEMA, migrationsDir: join(migrationsDir, 'none'), log: pino({ level: 'silent' }) });
    const known = new Map((await readObjects(db)).map(({ oid }) => [oid, '']));
    const files = (await readdir(migrationsDir)).filter((file) => file.endsWith('.sql')).sort();
    for (const file of files) {
      await db.script(await readFile(join(migrationsDir, file), 'utf8'));
      const subject = /^\d+_(.*)\.sql$/.exec(file)![1]!;
      for (const { oid } of await readObjects(db)) if (!known.has(oid)) known.set(oid, subject);
    }
    const objects = (await readObjects(db)).filter(({ oid }) => known.get(oid));
    return Map.groupBy(objects, ({ oid }) => known.get(oid)!);
  } finally {
    await end();
  }
}

/** Files of `docs/schema` by name. Each lists the tables of a subject, then its functions, in the order of creation. */
export async function describeSchema(): Promise<Map<string, string>> {
  const schema = await readSchema();
  const place = ({ oid, isFunction, table }: SchemaObject) => [Number(isFunction), Number(table), Number(oid)];
  const compare = (a: SchemaObject, b: SchemaObject) =>
    place(a)
      .map((value, index) => value - place(b)[index]!)
      .find(Boolean) ?? 0;
  const fileHeader = (subject: string) =>
    `-- Generated by \`npm run schema\` from supabase/migrations/*_${subject}.sql.\n\n`;
  const trimmed = ({ sql }: SchemaObject) => `${sql.replaceAll(/[ \t]+$/gm, '')}\n`;
  const fileOf = ([subject, objects]: [string, SchemaObject[]]): [string, string] => {
    const content = objects.sort(compare).map(trimmed).join('\n');
    return [`${subject}.sql`, fileHeader(subject) + content];
  };
  return new Map([...schema].map(fileOf));
}

if (import.meta.main) {
  const files = await describeSchema();
  await rm(SCHEMA_DIR, { recursive: true, force: true });
  await mkdir(SCHEMA_DIR, { recursive: true });
  for (const [name, text] of files) await writeFile(join(SCHEMA_DIR, name), text);
  console.log(`Wrote ${files.size} files to docs/schema.`);
}
