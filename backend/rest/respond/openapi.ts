import type { Column, Routine, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import { type Exchange, mayDescribe, type RestResponse } from '../exchange.ts';
import { requireAccepted } from '../parse/media-type.ts';

const ROOT_TYPES = new Set(['*/*', 'application/*', 'application/json', 'application/openapi+json']);

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
    consumes: ['application/json'],
    produces: ['application/json'],
    paths: Object.fromEntries([
      ...tables.map((table) => [`/${table.name}`, tablePath(table)] as const),
      ...routines.map(([name, overloads]) => [`/rpc/${name}`, routinePath(overloads[0]!)] as const),
    ]),
    definitions: Object.fromEntries(tables.map((table) => [table.name, definition(table)])),
  };
  return {
    status: 200,
    body: method === 'HEAD' ? null : JSON.stringify(document),
    headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
  };
}

const responses = { 200: { description: 'OK' } };

function tablePath(table: Table) {
  const operation = { tags: [table.name], ...(table.comment ? { summary: table.comment } : {}), responses };
  return {
    get: operation,
    ...(table.insertable ? { post: operation } : {}),
    ...(table.updatable ? { patch: operation } : {}),
    ...(table.deletable ? { delete: operation } : {}),
  };
}

function routinePath(routine: Routine) {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(routine.parameters.map(({ name, column }) => [name, property(column)])),
    required: routine.parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return {
    post: {
      tags: [`(rpc) ${routine.name}`],
      ...(routine.comment ? { summary: routine.comment } : {}),
      parameters: [{ name: 'args', in: 'body', required: true, schema }],
      responses,
    },
  };
}

const definition = (table: Table) => ({
  type: 'object',
  ...(table.comment ? { description: table.comment } : {}),
  required: [...table.columns.values()].filter(({ nullable }) => !nullable).map(({ name }) => name),
  properties: Object.fromEntries([...table.columns].map(([name, column]) => [name, property(column)])),
});

const JSON_TYPES: Record<string, string> = {
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
};

const property = ({ baseName, displayType, comment, default: value }: Column) => ({
  ...(baseName === 'json' || baseName === 'jsonb'
    ? {}
    : baseName.startsWith('_')
      ? { type: 'array', items: { type: JSON_TYPES[baseName.slice(1)] ?? 'string' } }
      : { type: JSON_TYPES[baseName] ?? 'string' }),
  format: displayType,
  ...(comment ? { description: comment } : {}),
  ...(value === null ? {} : { default: value }),
});
