import { quoteName } from '../../database/database.ts';
import type { Role } from '../../http/caller.ts';
import type { Column, ComputedColumn, MediaHandler, Parameter, Relationship, Routine, Table } from './catalog.ts';
import { BYTES_TYPE, SCALAR } from './catalog.ts';
import { type ColumnRow, columnOf, type RoutineRow, type TypeRow } from './catalog-rows.ts';

const VOLATILITY = { v: 'volatile', s: 'stable', i: 'immutable' } as const;

/** Body kinds of a call, and the types of an unnamed parameter that receive the complete body. */
export const BODY_TYPES = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  bytea: ['bytea'],
  fields: [],
} as const;

export type BodyKind = keyof typeof BODY_TYPES;

/** Readable rows of the columns, and nothing else. */
export const emptyTable = ({ schema, name }: { schema: string; name: string }, columns: readonly Column[]) => ({
  schema,
  name,
  sql: `${quoteName(schema)}.${quoteName(name)}`,
  columns: new Map(columns.map((column) => [column.name, column])),
  primaryKey: [] as string[],
  insertable: false,
  updatable: false,
  deletable: false,
  computed: new Map<string, ComputedColumn>(),
  relationships: [] as Relationship[],
  showsAll: false,
  roles: new Set<Role>(),
  handlers: new Map<string, MediaHandler>(),
  comment: null as string | null,
});

export const isOneValue = (body: BodyKind | null): boolean => body === 'text' || body === 'xml' || body === 'bytea';

/** An unnamed parameter can only receive the whole body; other functions with unnamed parameters are not exposed. */
export const isCallable = (routine: Routine): boolean =>
  routine.parameters.every(({ name }) => name !== '') ||
  Object.values(BODY_TYPES).some((types) => takesBody(routine, types));

export const takesBody = ({ parameters }: Routine, types: readonly string[]): boolean =>
  parameters.length === 1 &&
  parameters[0]!.name === '' &&
  types.some((type) => parameters[0]!.column.type === `"pg_catalog".${quoteName(type)}`);

export function byParameters(a: Routine, b: Routine): number {
  const keys = ({ parameters }: Routine) => parameters.flatMap(({ name, column }) => [name, column.displayType]);
  const [own, others] = [keys(a), keys(b)];
  const at = own.findIndex((key, index) => key !== others[index]);
  return own.length - others.length || (at < 0 ? 0 : own[at]! < others[at]! ? -1 : 1);
}

export function routineOf(
  row: RoutineRow,
  types: ReadonlyMap<string, TypeRow>,
  tables: ReadonlyMap<string, Table>,
  columnsOf: ReadonlyMap<string, readonly ColumnRow[]>,
): Routine {
  const inputs: Parameter[] = [];
  const outputs: Column[] = [];
  row.types.forEach((type, index) => {
    const mode = row.modes?.[index] ?? 'i';
    const name = row.names?.[index] ?? '';
    const column = columnOf(name, type, types);
    if (mode === 'i' || mode === 'b' || mode === 'v')
      inputs.push({ name, column, required: true, variadic: mode === 'v' });
    if (mode === 'o' || mode === 'b' || mode === 't') outputs.push(column);
  });
  // Defaults belong to the last parameters.
  for (const parameter of inputs.slice(inputs.length - row.defaults)) parameter.required = false;
  for (const parameter of inputs) if (parameter.variadic) parameter.required = false;
  const resultType = types.get(row.result)!;
  const returned = tables.get(resultType.relation);
  const composite = outputs.length > 0 || resultType.kind === 'c' || resultType.name === 'record';
  const scalar = columnOf(SCALAR, row.result, types);
  const isBytes = scalar.baseName === 'bytea';
  const mediaTypes = [
    ...(isBytes ? [BYTES_TYPE] : []),
    ...(resultType.kind === 'd' && resultType.name.includes('/') ? [resultType.name] : []),
  ];
  const handlers = new Map<string, MediaHandler>(
    row.isSet || composite ? [] : mediaTypes.map((type) => [type, { aggregate: null, rowType: null, isBytes }]),
  );
  const tableOf = (columns: Column[]): Table => ({ ...emptyTable(row, columns), handlers });
  const attributes = () =>
    (columnsOf.get(resultType.relation) ?? []).map((column) => columnOf(column.name, column.type, types, column));
  return {
    schema: row.schema,
    name: row.name,
    sql: `${quoteName(row.schema)}.${quoteName(row.name)}`,
    parameters: inputs,
    returns: composite ? 'composite' : resultType.name === 'void' ? 'void' : 'scalar',
    isSet: row.isSet,
    result: returned ?? tableOf(outputs.length ? outputs : composite ? attributes() : [scalar]),
    volatility: VOLATILITY[row.volatility as keyof typeof VOLATILITY],
    roles: new Set(row.roles as Role[]),
    comment: row.comment,
  };
}
