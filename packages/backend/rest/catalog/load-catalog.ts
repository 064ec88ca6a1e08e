import type { Database } from '../../database/database.ts';
import { quoteName } from '../../database/database.ts';
import type { Role } from '../../http/caller.ts';
import { allowedCasts } from '../plan/casts.ts';
import { columnOf } from '../plan/columns.ts';
import type {
  Catalog,
  Column,
  ComputedColumn,
  ExposedSchema,
  MediaHandler,
  Relationship,
  Routine,
  Table,
} from './catalog.ts';
import { type CatalogRows, type ColumnRow, type RoutineRow, readCatalogRows, type TypeRow } from './catalog-rows.ts';
import { type Entity, keyRelationships } from './relationships.ts';
import { byParameters, isCallable, routineOf } from './routines.ts';
import { viewColumns } from './view-columns.ts';

type MutableTable = Table & {
  computed: Map<string, ComputedColumn>;
  relationships: Relationship[];
  handlers: Map<string, MediaHandler>;
  primaryKey: string[];
};

export async function loadCatalog(db: Database, schemas: readonly string[]): Promise<Catalog> {
  return buildCatalog(await readCatalogRows(db, schemas), schemas);
}

function buildCatalog(rows: CatalogRows, schemas: readonly string[]): Catalog {
  const types = new Map(rows.types.map((type) => [type.oid, type]));
  const columnsOf = Map.groupBy(rows.columns, ({ relation }) => relation);
  const tables = new Map<string, MutableTable>();
  for (const row of rows.relations) {
    tables.set(row.oid, {
      schema: row.schema,
      name: row.name,
      sql: `${quoteName(row.schema)}.${quoteName(row.name)}`,
      columns: columnMap(columnsOf.get(row.oid) ?? [], types),
      primaryKey: [],
      insertable: (row.updatable & 8) !== 0,
      updatable: (row.updatable & 4) !== 0,
      deletable: (row.updatable & 16) !== 0,
      computed: new Map(),
      relationships: [],
      showsAll: !row.guarded && (row.kind === 'r' || row.kind === 'p'),
      roles: new Set(row.roles as Role[]),
      handlers: new Map(),
      comment: row.comment,
    });
  }
  const entities = entitiesOf(rows, tables);
  for (const { kind, relation, columns } of rows.keys) {
    if (kind !== 'p') continue;
    for (const { table, names } of entities.get(relation) ?? []) {
      const key = columns.map((number) => names.get(number));
      if (key.every((name) => name !== undefined)) (table as MutableTable).primaryKey = key as string[];
    }
  }
  for (const relationship of keyRelationships(rows.keys, entities)) {
    (relationship.from as MutableTable).relationships.push(relationship);
  }
  const { functions = [], aggregates = [] } = Object.groupBy(rows.routines, ({ isAggregate }) =>
    isAggregate ? 'aggregates' : 'functions',
  );
  for (const row of aggregates) addMediaHandler(row, types, tables);
  const routines = functions.map((row) => routineOf(row, types, tables, columnsOf));
  functions.forEach((row, index) => {
    addComputed(routines[index]!, tables.get(types.get(row.types[0] ?? '')?.relation ?? ''), row.rows);
  });
  const toSchema = (name: string): ExposedSchema => ({
    name,
    tables: new Map([...tables.values()].filter(({ schema }) => schema === name).map((table) => [table.name, table])),
    routines: Map.groupBy(
      routines.filter((routine) => routine.schema === name && isCallable(routine)).sort(byParameters),
      (routine) => routine.name,
    ),
  });
  return {
    schemas: new Map(schemas.map((name) => [name, toSchema(name)])),
    casts: allowedCasts(rows.types, schemas),
  };
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
  const handler = {
    aggregate: `${quoteName(schema)}.${quoteName(name)}`,
    rowType: own?.sql ?? null,
    isBytes: baseName === 'bytea',
  };
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
    from: table,
    to: routine.result,
    kind: 'computed',
    constraint: routine.name,
    columns: [],
    toOne: !routine.isSet || rows === 1,
    toView: false,
    junction: null,
    routine: routine.sql,
  });
}

/** Entities over each base table: the table itself when exposed, and exposed views with plain columns of it. */
function entitiesOf(rows: CatalogRows, tables: ReadonlyMap<string, MutableTable>): Map<string, Entity[]> {
  const entities = new Map<string, Entity[]>();
  const add = (relation: string, entity: Entity) => {
    const existing = entities.get(relation);
    if (existing) existing.push(entity);
    else entities.set(relation, [entity]);
  };
  const views = new Map<string, ReturnType<typeof viewColumns>>();
  for (const { oid, rule } of rows.relations) if (rule) views.set(oid, viewColumns(rule));
  const names = Map.groupBy(rows.columns, ({ relation }) => relation);
  for (const { oid } of rows.relations) {
    const table = tables.get(oid)!;
    if (!views.has(oid)) {
      const own = (names.get(oid) ?? []).map(({ number, name }) => [number, name] as const);
      add(oid, { table, isView: false, names: new Map(own) });
      continue;
    }
    const origins = views.get(oid)!.map((column) => ({ name: column.name, ...baseOf(column, views, names) }));
    for (const [relation, columns] of Map.groupBy(origins, (origin) => origin.relation)) {
      add(relation, { table, isView: true, names: new Map(columns.map(({ number, name }) => [number, name])) });
    }
  }
  return entities;
}

function baseOf(
  origin: { relation: string; number: number },
  views: ReadonlyMap<string, ReturnType<typeof viewColumns>>,
  names: ReadonlyMap<string, readonly ColumnRow[]>,
): { relation: string; number: number } {
  const inner = views.get(origin.relation);
  if (!inner) return { relation: origin.relation, number: origin.number };
  const name = names.get(origin.relation)?.find(({ number }) => number === origin.number)?.name;
  const column = inner.find((candidate) => candidate.name === name);
  return column ? baseOf(column, views, names) : { relation: origin.relation, number: origin.number };
}

function columnMap(rows: readonly ColumnRow[], types: ReadonlyMap<string, TypeRow>): Map<string, Column> {
  return new Map(rows.map((row) => [row.name, columnOf(row.name, row.type, types, row)]));
}
