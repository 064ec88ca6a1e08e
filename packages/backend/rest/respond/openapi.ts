import type { Column, ExposedSchema, Routine, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import { type Exchange, mayDescribe, type RestResponse } from '../exchange.ts';
import { requireAccepted } from '../parse/media-type.ts';

const ROOT_TYPES = new Set(['*/*', 'application/*', 'application/json', 'application/openapi+json']);
const DATA_TYPES = ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'];

/** OpenAPI 2.0, as PostgREST writes it: what the caller's role may use, with filters, bodies, responses, enums and keys. */
export function describeApi(exchange: Exchange): RestResponse {
  const { method, schema, caller } = exchange;
  if (method === 'OPTIONS') return { status: 200, body: null, headers: { allow: 'OPTIONS,GET,HEAD' } };
  if (method !== 'GET' && method !== 'HEAD') throw errors.method(method);
  if (!mayDescribe(exchange)) throw errors.rootClosed();
  requireAccepted(exchange.accept, ROOT_TYPES);
  const tables = [...schema.tables.values()].filter(({ roles }) => roles.has(caller.role));
  const routines = [...schema.routines].filter(([, [first]]) => first?.roles.has(caller.role));
  const document = {
    swagger: '2.0',
    info: { title: `${schema.name} schema`, version: '1' },
    basePath: '/rest/v1',
    consumes: DATA_TYPES,
    produces: DATA_TYPES,
    paths: Object.fromEntries([
      ['/', rootPath],
      ...tables.map((table) => [`/${table.name}`, tablePath(table)] as const),
      ...routines.map(([name, overloads]) => [`/rpc/${name}`, routinePath(overloads[0]!)] as const),
    ]),
    definitions: Object.fromEntries(tables.map((table) => [table.name, definition(table, schema)])),
    parameters: { ...SHARED_PARAMETERS, ...Object.assign({}, ...tables.map(tableParameters)) },
  };
  const headers = { 'content-type': 'application/openapi+json; charset=utf-8' };
  return { status: 200, body: method === 'HEAD' ? null : JSON.stringify(document), headers };
}

const rootPath = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

const parameter = (place: string, name: string, description: string, more: object) => ({
  name,
  description,
  required: false,
  in: place,
  ...more,
});
const query = (name: string, description: string, more?: object) =>
  parameter('query', name, description, { type: 'string', ...more });
const header = (name: string, description: string, more?: object) =>
  parameter('header', name, description, { type: 'string', ...more });
const RETURNS = ['return=representation', 'return=minimal', 'return=headers-only'];

const SHARED_PARAMETERS = {
  select: query('select', 'Columns and embedded resources'),
  order: query('order', 'Order of the rows'),
  offset: query('offset', 'Rows to skip'),
  limit: query('limit', 'Most rows to return'),
  on_conflict: query('on_conflict', 'Columns of the constraint of an upsert'),
  range: header('Range', 'First and last row'),
  rangeUnit: header('Range-Unit', 'Unit of Range', { default: 'items' }),
  preferCount: header('Prefer', 'Count of all rows', { enum: ['count=exact', 'count=planned', 'count=estimated'] }),
  preferReturn: header('Prefer', 'What a write returns', { enum: RETURNS }),
  preferPost: header('Prefer', 'What an insert returns, and how it resolves conflicts', {
    enum: [...RETURNS, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'],
  }),
};

const references = (...names: string[]) => names.map((name) => ({ $ref: `#/parameters/${name}` }));
const bodyName = (table: Table) => `body.${table.name}`;
const filterName = (table: Table, column: string) => `rowFilter.${table.name}.${column}`;

const tableParameters = (table: Table) => ({
  [bodyName(table)]: parameter('body', table.name, table.name, { schema: reference(table) }),
  ...Object.fromEntries(
    [...table.columns.values()].map(({ name, displayType }) => [
      filterName(table, name),
      query(name, `A filter, as in eq.VALUE (${displayType})`, { format: displayType }),
    ]),
  ),
});

const reference = (table: Table) => ({ $ref: `#/definitions/${table.name}` });

function tablePath(table: Table) {
  const filters = [...table.columns.keys()].map((name) => filterName(table, name));
  const operation = (parameters: string[], responses: Record<number, object>) => ({
    tags: [table.name],
    ...(table.comment ? { summary: table.comment } : {}),
    parameters: references(...parameters),
    responses,
  });
  const rows = { description: 'OK', schema: { type: 'array', items: reference(table) } };
  const noContent = { 200: rows, 204: { description: 'No Content' } };
  const page = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'];
  return {
    get: operation([...filters, ...page], { 200: rows, 206: { description: 'Partial Content' } }),
    ...(table.insertable && {
      post: operation([bodyName(table), 'select', 'on_conflict', 'preferPost'], { 201: { description: 'Created' } }),
    }),
    ...(table.updatable && { patch: operation([...filters, bodyName(table), 'preferReturn'], noContent) }),
    ...(table.deletable && { delete: operation([...filters, 'preferReturn'], noContent) }),
  };
}

function routinePath({ name, comment, parameters, volatility, returns, isSet, result }: Routine) {
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const columns = [...result.columns.values()];
  const rowSchema = returns === 'scalar' ? property(columns[0]!) : { type: 'object', properties: properties(columns) };
  const responses =
    returns === 'void'
      ? { 204: { description: 'No Content' } }
      : { 200: { description: 'OK', schema: isSet ? { type: 'array', items: rowSchema } : rowSchema } };
  const operation = { tags: [`(rpc) ${name}`], ...(comment ? { summary: comment } : {}), responses };
  const schema = { type: 'object', properties: properties(parameters.map(({ column }) => column)), required };
  return {
    ...(volatility !== 'volatile' && {
      get: {
        ...operation,
        parameters: parameters.map(({ column, required: isRequired }) =>
          query(column.name, column.displayType, { required: isRequired, ...property(column) }),
        ),
      },
    }),
    post: { ...operation, parameters: [parameter('body', 'args', 'Arguments', { required: true, schema })] },
  };
}

function definition(table: Table, schema: ExposedSchema) {
  const keyNotes = new Map(table.primaryKey.map((name) => [name, 'Note:\nThis is a Primary Key.<pk/>']));
  for (const { kind, to, columns } of table.relationships) {
    const [pair, ...others] = columns;
    if ((kind !== 'many-to-one' && kind !== 'one-to-one') || !pair || others.length || !schema.tables.has(to.name))
      continue;
    const [own, other] = pair;
    const note = `This is a Foreign Key to \`${to.name}.${other}\`.<fk table='${to.name}' column='${other}'/>`;
    keyNotes.set(own, `${keyNotes.get(own) ?? 'Note:'}\n${note}`);
  }
  const columns = [...table.columns.values()];
  return {
    type: 'object',
    ...(table.comment ? { description: table.comment } : {}),
    required: columns.filter(({ nullable }) => !nullable).map(({ name }) => name),
    properties: properties(columns, keyNotes),
  };
}

const properties = (columns: readonly Column[], keyNotes?: ReadonlyMap<string, string>) =>
  Object.fromEntries(columns.map((column) => [column.name, property(column, keyNotes?.get(column.name))]));

const JSON_TYPES: Record<string, string> = {
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
};

function property({ baseName, displayType, comment, default: value, labels }: Column, keyNote?: string) {
  const description = [comment, keyNote].filter(Boolean).join('\n\n');
  const maxLength = /^character(?: varying)?\((\d+)\)$/.exec(displayType)?.[1];
  return {
    ...(baseName === 'json' || baseName === 'jsonb'
      ? {}
      : baseName.startsWith('_')
        ? { type: 'array', items: { type: JSON_TYPES[baseName.slice(1)] ?? 'string' } }
        : { type: JSON_TYPES[baseName] ?? 'string' }),
    format: displayType,
    ...(maxLength ? { maxLength: Number(maxLength) } : {}),
    ...(labels ? { enum: labels } : {}),
    ...(description ? { description } : {}),
    ...(value === null ? {} : { default: value }),
  };
}
