import type { Logger } from 'pino';
import { type Database, quoteName } from '../../database/database.ts';
import type { Role } from '../../http/caller.ts';
import type { Catalog, ExposedSchema, Routine } from './catalog.ts';
import type { CatalogRows, ColumnRow, RoutineRow, TypeRow } from './catalog-rows.ts';
import { columnOf, readCatalogRows } from './catalog-rows.ts';
import { type Entity, keyRelationships, namesOf } from './relationships.ts';
import { byParameters, emptyTable, isCallable, routineOf } from './routines.ts';

/** From `pg_rewrite.ev_action`; information_schema does not say which view column a table's column becomes. */
export function viewColumns(rule: string) {
  const columns: { name: string; relation: string; number: number }[] = [];
  for (const entry of topLevelNodes(rule, outerTargetList(rule))) {
    const tail = entry.slice(entry.lastIndexOf(' :resno '));
    const name = wordAfter(tail, ' :resname ').replace(/\\(.)/g, '$1');
    const relation = wordAfter(tail, ' :resorigtbl ');
    const number = Number(wordAfter(tail, ' :resorigcol '));
    if (relation !== '0' && number > 0 && wordAfter(tail, ' :resjunk ') === 'false')
      columns.push({ name, relation, number });
  }
  return columns;
}

/** Target lists of CTEs, sub-selects and conditions may come first, but deeper. */
function outerTargetList(text: string): number {
  const label = ':targetList (';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}') depth--;
    else if (character === ':' && depth === 1 && text.startsWith(label, at)) return at + label.length;
  }
  return text.length;
}

/** Braces in names are escaped by a backslash. */
function topLevelNodes(text: string, from: number): string[] {
  const nodes: string[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '{' && depth++ === 0) start = at;
    else if (character === '}' && --depth === 0) nodes.push(text.slice(start, at));
    else if (character === ')' && depth === 0) break;
  }
  return nodes;
}

function wordAfter(text: string, label: string): string {
  const start = text.indexOf(label);
  if (start < 0) return '';
  let end = start + label.length;
  while (end < text.length && text[end] !== ' ') end += text[end] === '\\' ? 2 : 1;
  return text.slice(start + label.length, end);
}

type MutableTable = ReturnType<typeof emptyTable>;

function buildCatalog(rows: CatalogRows, schemas: readonly string[]): Catalog {
  const types = new Map(rows.types.map((type) => [type.oid, type]));
  const columnsOf = Map.groupBy(rows.columns, ({ relation }) => relation);
  const tables = new Map<string, MutableTable>();
  for (const row of rows.relations) {
    const columns = (columnsOf.get(row.oid) ?? []).map((column) => columnOf(column.name, column.type, types, column));
    tables.set(row.oid, {
      ...emptyTable(row, columns),
      insertable: (row.updatable & 8) !== 0,
      updatable: (row.updatable & 4) !== 0,
      deletable: (row.updatable & 16) !== 0,
      showsAll: !row.guarded && (row.kind === 'r' || row.kind === 'p'),
      roles: new Set(row.roles as Role[]),
      comment: row.comment,
    });
  }
  const entities = entitiesOf(rows, tables, columnsOf);
  for (const { relation, columns } of rows.keys.filter(({ kind }) => kind === 'p'))
    for (const entity of entities.get(relation) ?? []) {
      const key = namesOf(entity, columns);
      if (key) (entity.table as MutableTable).primaryKey = key;
    }
  for (const relationship of keyRelationships(rows.keys, entities))
    (relationship.from as MutableTable).relationships.push(relationship);
  const { functions = [], aggregates = [] } = Object.groupBy(rows.routines, ({ isAggregate }) =>
    isAggregate ? 'aggregates' : 'functions',
  );
  for (const row of aggregates) addMediaHandler(row, types, tables);
  const routines = functions.map((row) => routineOf(row, types, tables, columnsOf));
  for (const [index, row] of functions.entries())
    addComputed(routines[index]!, tables.get(types.get(row.types[0] ?? '')?.relation ?? ''), row.rows);
  const toSchema = (name: string): ExposedSchema => ({
    name,
    tables: new Map([...tables.values()].filter(({ schema }) => schema === name).map((table) => [table.name, table])),
    routines: Map.groupBy(
      routines.filter((routine) => routine.schema === name && isCallable(routine)).sort(byParameters),
      (routine) => routine.name,
    ),
  });
  return { schemas: new Map(schemas.map((name) => [name, toSchema(name)])), casts: allowedCasts(rows.types, schemas) };
}

/** Types that look up the system catalogue (`regclass` …) are excluded. */
const COMMON = `text varchar bpchar name int2 int4 int8 numeric float4 float8 money bool date time timetz timestamp
  timestamptz interval uuid json jsonb bytea inet cidr macaddr`.split(/\s+/);
const ALIASES: Record<string, string> = {
  smallint: 'int2',
  int: 'int4',
  integer: 'int4',
  bigint: 'int8',
  decimal: 'numeric',
  real: 'float4',
  'double precision': 'float8',
  'character varying': 'varchar',
  boolean: 'bool',
  'time without time zone': 'time',
  'timestamp without time zone': 'timestamp',
  'time with time zone': 'timetz',
  'timestamp with time zone': 'timestamptz',
};

function allowedCasts(types: readonly TypeRow[], schemas: readonly string[]): Map<string, string> {
  const common = [...COMMON.map((name) => [name, name]), ...Object.entries(ALIASES)] as [string, string][];
  const casts = new Map(common.map(([name, type]) => [name, `"pg_catalog".${quoteName(type)}`]));
  for (const { schema, name, kind } of types) {
    if (schemas.includes(schema) && ['e', 'd', 'r'].includes(kind) && !casts.has(name))
      casts.set(name, `${quoteName(schema)}.${quoteName(name)}`);
  }
  return casts;
}

/** An aggregate of one table's rows takes precedence over one of any rows. */
function addMediaHandler(
  { schema, name, types: [argument], result }: RoutineRow,
  types: ReadonlyMap<string, TypeRow>,
  tables: ReadonlyMap<string, MutableTable>,
): void {
  const { name: mediaType, baseName } = columnOf(types.get(result)!.name, result, types);
  const own = tables.get(types.get(argument!)!.relation);
  if (!own && types.get(argument!)!.name !== 'anyelement') return;
  const aggregate = `${quoteName(schema)}.${quoteName(name)}`;
  const handler = { aggregate, rowType: own?.sql ?? null, isBytes: baseName === 'bytea' };
  if (own) own.handlers.set(mediaType, handler);
  else for (const { handlers } of tables.values()) if (!handlers.has(mediaType)) handlers.set(mediaType, handler);
}

/** A function of one row is a computed column, or a relationship when it returns rows of another table. */
function addComputed(routine: Routine, table: MutableTable | undefined, rows: number): void {
  if (!table || routine.parameters.length !== 1 || routine.returns === 'void') return;
  if (routine.returns === 'scalar') {
    if (routine.isSet) return;
    const column = routine.result.columns.values().next().value!;
    table.computed.set(routine.name, { sql: routine.sql, column: { ...column, name: routine.name } });
    return;
  }
  table.relationships.push({
    kind: 'computed',
    from: table,
    to: routine.result,
    constraint: routine.name,
    columns: [],
    toOne: !routine.isSet || rows === 1,
    toView: false,
    junction: null,
    routine: routine.sql,
  });
}

/** Entities over each base table: the table itself when exposed, and exposed views with plain columns of it. */
function entitiesOf(
  { relations }: CatalogRows,
  tables: ReadonlyMap<string, MutableTable>,
  columnsOf: ReadonlyMap<string, readonly ColumnRow[]>,
): Map<string, Entity[]> {
  const entities = new Map<string, Entity[]>();
  const addEntity = (relation: string, entity: Entity) =>
    entities.set(relation, [...(entities.get(relation) ?? []), entity]);
  const views = new Map<string, ReturnType<typeof viewColumns>>();
  for (const { oid, rule } of relations) if (rule) views.set(oid, viewColumns(rule));
  for (const { oid } of relations) {
    const table = tables.get(oid)!;
    const view = views.get(oid);
    if (!view) {
      const own = (columnsOf.get(oid) ?? []).map(({ number, name }) => [number, name] as const);
      addEntity(oid, { table, isView: false, names: new Map(own) });
      continue;
    }
    const origins = view.map((column) => ({ name: column.name, ...baseOf(column, views, columnsOf) }));
    for (const [relation, columns] of Map.groupBy(origins, (origin) => origin.relation))
      addEntity(relation, { table, isView: true, names: new Map(columns.map(({ number, name }) => [number, name])) });
  }
  return entities;
}

function baseOf(
  { relation, number }: { relation: string; number: number },
  views: ReadonlyMap<string, ReturnType<typeof viewColumns>>,
  columnsOf: ReadonlyMap<string, readonly ColumnRow[]>,
): { relation: string; number: number } {
  const name = columnsOf.get(relation)?.find((column) => column.number === number)?.name;
  const column = views.get(relation)?.find((candidate) => candidate.name === name);
  return column ? baseOf(column, views, columnsOf) : { relation, number };
}

/** `notify pgrst` or `notify pgrst, 'reload schema'` invalidates the cache. */
export async function cachedCatalog(db: Database, schemas: readonly string[], log: Logger) {
  let current: Promise<Catalog> | null = null;
  await db.listen('pgrst', (payload) => {
    if (payload !== '' && payload !== 'reload schema') return;
    current = null;
    log.debug('schema changed: reloading the catalogue');
  });
  return (): Promise<Catalog> => {
    if (current) return current;
    const loading = readCatalogRows(db, schemas).then((rows) => buildCatalog(rows, schemas));
    current = loading;
    loading.catch(() => {
      if (current === loading) current = null;
    });
    return loading;
  };
}
