import { NO_ROOM, NO_ROOM_RETRY_SECONDS } from '../data-dir/disk-space.ts';
import { DISK_FULL } from '../database/database.ts';
import { BadToken } from '../http/caller.ts';
import { BodyError } from '../http/limits.ts';
import { type BodyKind, isOneValue } from './catalog/routines.ts';

type ErrorOptions = Partial<Pick<RestError['body'], 'details' | 'hint'> & Pick<RestError, 'headers' | 'reason'>>;

export class RestError extends Error {
  override readonly name = 'RestError';
  readonly status: number;
  readonly body: { code: string; message: string; details: unknown; hint: string | null };
  readonly headers: Record<string, string>;
  readonly reason: string | null;
  constructor(
    status: number,
    code: string,
    message: string,
    { details = null, hint = null, headers = {}, reason = null }: ErrorOptions = {},
  ) {
    super(message);
    this.status = status;
    this.body = { code, message, details, hint };
    this.headers = headers;
    this.reason = reason;
  }
}

/** Codes and messages are PostgREST's, which clients rely on. */
export const errors = {
  unparsable: (what: string, text: string, column: number, details: string) =>
    new RestError(400, 'PGRST100', `"failed to parse ${what} (${text})" (line 1, column ${column})`, { details }),
  overLimit: (message: string) =>
    new RestError(400, 'PGRST100', message, { hint: 'Split the request into smaller ones' }),
  tooMuch: (limit: number) =>
    new RestError(400, 'PGRST100', `The response is longer than ${limit} characters`, {
      hint: 'Request fewer rows or columns',
    }),
  tooLong: (limit: number) => new RestError(414, 'PGRST100', `The address is longer than ${limit} bytes`),
  functionMethod: (method: string) => new RestError(405, 'PGRST101', `Cannot use the ${method} method on RPC`),
  body: (message: string) => new RestError(400, 'PGRST102', message),
  contentType: (type: string) => new RestError(415, 'PGRST102', `Content-Type not acceptable: ${type}`),
  range: (details: string, headers: Record<string, string> = {}) =>
    new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details, headers }),
  putFilters: () =>
    new RestError(405, 'PGRST105', "Filters must include all and only primary key columns with 'eq' operators"),
  schema: (name: string, exposed: readonly string[]) =>
    new RestError(406, 'PGRST106', `Invalid schema: ${name}`, {
      hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
    }),
  mediaType: (accepted: string) =>
    new RestError(406, 'PGRST107', `None of these media types are available: ${accepted}`),
  notEmbedded: (name: string) =>
    new RestError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
      hint: `Verify that '${name}' is included in the 'select' query parameter.`,
    }),
  sqlHeaders: () => {
    const shape = 'a JSON array composed of objects with a single key and a string value';
    return new RestError(500, 'PGRST111', `response.headers guc must be ${shape}`);
  },
  sqlStatus: () => new RestError(500, 'PGRST112', 'response.status guc must be a valid status code'),
  putLimit: () => new RestError(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
  putKey: () => new RestError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)'),
  notSingle: (rows: number) =>
    new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${rows} rows`,
    }),
  method: (method: string) => new RestError(405, 'PGRST117', `Unsupported HTTP method: ${method}`),
  relatedOrder: (origin: string, target: string) =>
    new RestError(400, 'PGRST118', `A related order on '${target}' is not possible`, {
      details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
    }),
  embedFilter: (name: string) =>
    new RestError(400, 'PGRST120', `Bad operator on the '${name}' embedded resource`, {
      details: 'Only is null or not is null filters are allowed on embedded resources',
    }),
  preferences: (invalid: readonly string[]) =>
    new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${invalid.join(', ')}`,
    }),
  aggregates: () => new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed'),
  maxAffected: (rows: number) =>
    new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${rows} rows`,
    }),
  path: () => new RestError(404, 'PGRST125', 'Invalid path specified in request URL'),
  rootClosed: () => new RestError(404, 'PGRST126', 'Root endpoint metadata is disabled'),
  notOffered: (details: string, hint: string | null = null) =>
    new RestError(400, 'PGRST127', 'Feature not implemented', { details, hint }),
  maxAffectedFunction: () => {
    const condition = 'when max-affected preference is used with handling=strict';
    return new RestError(400, 'PGRST128', `Function must return SETOF or TABLE ${condition}`);
  },
  noRelationship: (origin: string, target: string, hintUsed: string | null, schema: string, near: string | null) => {
    const message = `Could not find a relationship between '${origin}' and '${target}' in the schema cache`;
    const details = `Searched for a foreign key relationship between '${origin}' and '${target}'${hintUsed === null ? '' : ` using the hint '${hintUsed}'`} in the schema '${schema}', but no matches were found.`;
    const hint = near === null ? null : `Perhaps you meant '${near}' instead of '${target}'.`;
    return new RestError(400, 'PGRST200', message, { details, hint });
  },
  ambiguousRelationship: (origin: string, target: string, details: unknown[], choices: readonly string[]) => {
    const message = `Could not embed because more than one relationship was found for '${origin}' and '${target}'`;
    const hint = `Try changing '${target}' to one of the following: ${choices.map((choice) => `'${choice}'`).join(', ')}. Find the desired relationship in the 'details' key.`;
    return new RestError(300, 'PGRST201', message, { details, hint });
  },
  noFunction: (name: string, args: readonly string[], body: BodyKind | null, near: string | null) => {
    const isOne = isOneValue(body);
    const called = isOne ? '' : args.length ? `(${args.join(', ')})` : ' without parameters';
    const listed = isOne
      ? ` with a single unnamed ${body} parameter`
      : args.length
        ? ` with parameter${args.length > 1 ? 's' : ''} ${args.join(', ')}`
        : ' without parameters';
    const orBody = body === 'json' ? ' or with a single unnamed json/jsonb parameter' : '';
    return new RestError(404, 'PGRST202', `Could not find the function ${name}${called} in the schema cache`, {
      details: `Searched for the function ${name}${listed}${orBody}, but no matches were found in the schema cache.`,
      hint: near === null ? null : `Perhaps you meant to call the function ${near}`,
    });
  },
  ambiguousFunction: (candidates: readonly string[]) =>
    new RestError(300, 'PGRST203', `Could not choose the best candidate function between: ${candidates.join(', ')}`, {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    }),
  noColumn: (table: string, column: string) =>
    new RestError(400, 'PGRST204', `Could not find the '${column}' column of '${table}' in the schema cache`),
  noTable: (schema: string, name: string, near: string | null) =>
    new RestError(404, 'PGRST205', `Could not find the table '${schema}.${name}' in the schema cache`, {
      hint: near === null ? null : `Perhaps you meant the table '${near}'`,
    }),
  undefinedColumn: (table: string, column: string) =>
    new RestError(400, '42703', `column ${table}.${column} does not exist`),
  unknownCast: (type: string) => new RestError(400, '42704', `type "${type}" does not exist`),
  noWhere: (verb: 'UPDATE' | 'DELETE') => new RestError(400, '21000', `${verb} requires a WHERE clause`),
  malformedHeader: (name: string) => new RestError(400, 'PGRST102', `The header ${name} is malformed`),
  overRate: (message: string, seconds: number) =>
    new RestError(429, 'over_request_rate_limit', message, {
      hint: `Try again in ${seconds} seconds`,
      headers: { 'retry-after': String(seconds) },
    }),
  unavailable: () =>
    new RestError(503, 'PGRST001', 'Database connection error.', {
      hint: 'Try again in a moment',
      headers: { 'retry-after': '1' },
    }),
  noRoom: () => new RestError(507, DISK_FULL, NO_ROOM, { headers: { 'retry-after': String(NO_ROOM_RETRY_SECONDS) } }),
  internal: () => new RestError(500, 'PGRSTX00', 'Something went wrong on our side'),
};

/** An invalid credential is always 401, never treated as anonymous. */
export function tokenError({ problem, message }: BadToken): RestError {
  if (problem === 'role') return new RestError(401, '22023', message, { headers: { 'www-authenticate': 'Bearer' } });
  const code = problem === 'empty' || problem === 'parts' || problem === 'signature' ? 'PGRST301' : 'PGRST303';
  const description = message.replaceAll(/[^ -~]|["\\]/g, "'");
  const headers = { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` };
  return new RestError(401, code, message, { headers });
}

/** Errors of our own code, thrown before the database is queried; null for all others. */
export function knownError(error: unknown): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof BadToken) return tokenError(error);
  if (error instanceof BodyError) return new RestError(error.status, 'PGRST102', error.message);
  return null;
}
