import { parse as parseCookies } from 'hono/utils/cookie';
import { type CallerRequest, headersForSql } from '../../database/run-as-caller.ts';
import type { ClientInfo } from '../../http/client-info.ts';
import { bareType } from '../../http/limits.ts';
import type { ExposedSchema, Routine, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import type { Exchange, RestResponse } from '../exchange.ts';
import { parsePreferences, requireKnownPreferences } from '../parse/preferences.ts';
import { SearchBudget } from '../plan/limits.ts';
import { MIN_NAME_SIMILARITY, nearest } from '../plan/nearest.ts';
import { handleCall } from './handle-call.ts';
import { handleRead } from './handle-read.ts';
import { handleWrite } from './handle-write.ts';
import { describeApi } from './openapi.ts';

export interface IncomingRequest
  extends Pick<
    Exchange,
    'db' | 'log' | 'limits' | 'api' | 'cleanRichText' | 'catalog' | 'caller' | 'refusedWrites' | 'method' | 'body'
  > {
  isAdmin(request: CallerRequest): Promise<boolean>;
  url: string;
  prefix: string;
  headers: Headers;
  origin: ClientInfo;
}

const READ_METHODS = new Set(['OPTIONS', 'GET', 'HEAD']);
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'PUT', 'DELETE']);

/** @throws RestError, DatabaseError */
export async function handleRequest(incoming: IncomingRequest): Promise<RestResponse> {
  const { method, limits } = incoming;
  if (incoming.url.length > limits.url) throw errors.tooLong(limits.url);
  if (!METHODS.has(method)) throw errors.method(method);
  const url = new URL(incoming.url);
  const segments = segmentsOf(url.pathname.slice(incoming.prefix.length));
  const exchange = await exchangeOf(incoming, segments, url.search.slice(1));
  const [first, second] = segments;
  let response: RestResponse;
  if (first === undefined) response = describeApi(exchange);
  else if (first === 'rpc' && second !== undefined && segments.length === 2) {
    response =
      method === 'OPTIONS' ? allowedMethods(exchange.schema.routines.get(second)) : await handleCall(exchange, second);
  } else if (segments.length > 1) throw errors.path();
  else {
    const table = findTable(exchange, first);
    if (method === 'OPTIONS') response = allowedMethods(table);
    else {
      requireKnownPreferences(exchange.preferences);
      response = await (READ_METHODS.has(method) ? handleRead : handleWrite)(exchange, table);
    }
  }
  if (exchange.deprecatedNames.size) response.headers['warning'] = deprecationWarning(exchange.deprecatedNames);
  if (incoming.api.schemas.length > 1) response.headers['content-profile'] ??= exchange.schema.name;
  return response;
}

const deprecationWarning = (names: ReadonlySet<string>) =>
  `299 PostgREST "Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release. Update ${[...names].join(', ').replaceAll(/[^ -~]|["\\]/g, '?')} in query string filters, orders or limits."`;

function segmentsOf(path: string): string[] {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    throw errors.path();
  }
}

async function exchangeOf(incoming: IncomingRequest, segments: readonly string[], search: string): Promise<Exchange> {
  const { headers, origin, isAdmin, ...shared } = incoming;
  const forSql = { headers: headersForSql(headers, origin.address), cookies: cookiesForSql(headers), origin };
  const request: CallerRequest = { method: shared.method, path: `/${segments.join('/')}`, ...forSql };
  return {
    ...shared,
    search,
    schema: schemaFor(incoming),
    isAdmin: await isAdmin(request),
    searches: new SearchBudget(shared.limits.searches[shared.caller.role]),
    deprecatedNames: new Set(),
    request,
    accept: headers.get('accept'),
    range: headers.get('range'),
    preferences: parsePreferences(headers.get('prefer')),
    contentType: bareType(headers.get('content-type')),
  };
}

function schemaFor({ api, catalog, headers, method }: IncomingRequest): ExposedSchema {
  const name = headers.get(READ_METHODS.has(method) ? 'accept-profile' : 'content-profile') ?? api.schemas[0]!;
  const schema = catalog.schemas.get(name);
  if (!schema) throw errors.schema(name.slice(0, 63), api.schemas);
  return schema;
}

/** Cookies of other applications on this host; those of the site are credentials, which the API ignores (TM-39). */
const cookiesForSql = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseCookies(headers.get('cookie') ?? '')).filter(([name]) => !/^__host-/i.test(name)),
  );

function findTable({ schema, caller }: Exchange, name: string): Table {
  const table = schema.tables.get(name);
  if (table) return table;
  const visible = [...schema.tables].flatMap(([key, { roles }]) => (roles.has(caller.role) ? key : []));
  const suggestion = nearest(name, visible, MIN_NAME_SIMILARITY);
  throw errors.noTable(schema.name, name, suggestion === null ? null : `${schema.name}.${suggestion}`);
}

function allowedMethods(target: Table | readonly Routine[] | undefined): RestResponse {
  if (!target) throw errors.path();
  const methods = Array.isArray(target) ? functionMethods(target) : tableMethods(target as Table);
  return { status: 200, body: null, headers: { allow: methods.join(',') } };
}

const functionMethods = (overloads: readonly Routine[]) =>
  overloads.every(({ volatility }) => volatility === 'volatile') ? ['OPTIONS', 'POST'] : [...READ_METHODS, 'POST'];

const tableMethods = ({ insertable, updatable, deletable, primaryKey }: Table) => [
  ...READ_METHODS,
  ...(insertable ? ['POST'] : []),
  ...(insertable && updatable && primaryKey.length ? ['PUT'] : []),
  ...(updatable ? ['PATCH'] : []),
  ...(deletable ? ['DELETE'] : []),
];
