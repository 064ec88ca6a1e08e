import type { BatchOptions, Connection, Database, Result, Statement } from './database.ts';
import { DatabaseError, quoteName } from './database.ts';

export type Caller = { role: string; claims: object; userId: string | null; sessionId: string | null };

export interface CallerRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  cookies?: Record<string, string>;
  origin?: { address: string; id: string };
}

/** Headers for SQL: all but cookies, and the verified client address instead of the claimed one. */
export function headersForSql(headers: Headers, address: string): Record<string, string> {
  const forwarded: Record<string, string> = { ...Object.fromEntries(headers), 'x-forwarded-for': address };
  for (const name of ['cookie', 'x-real-ip', 'cf-connecting-ip']) delete forwarded[name];
  return forwarded;
}

export interface CallerOptions extends BatchOptions {
  /** Default `public, extensions`. */
  searchPath?: readonly string[];
  heavy?: boolean;
  unlimited?: boolean;
}

const ROLES = new Set(['anon', 'authenticated', 'service_role']);
const SEARCH_PATH = ['public', 'extensions'];

// The session is checked first, with the server's own role; the caller's role is set last.
const SETTINGS = `set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.headers', $3, true), set_config('request.method', $4, true),
  set_config('request.path', $5, true), set_config('request.address', $6, true), set_config('request.id', $7, true),
  set_config('request.cookies', $8, true), set_config('role', $9, true)`;
const SETUP = `select ${SETTINGS}`;
const SETUP_WITH_SESSION = `select auth.check_session($10::uuid, $11::uuid), ${SETTINGS}`;

/** Commits when `work` resolves. @throws DatabaseError PT401 when the session has ended or its user is deleted */
export function runAsCaller<T>(
  db: Database,
  caller: Caller,
  request: CallerRequest,
  work: (tx: Connection) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  const setupStatements = [setupStatement(caller, request, options)];
  return db.transaction(work, { ...batchOptions(caller, request, options), setupStatements });
}

/** @param options `readOnly` by default @throws DatabaseError PT401 when the session has ended or its user is deleted */
export async function queryAsCaller<Row = Record<string, unknown>>(
  db: Database,
  caller: Caller,
  request: CallerRequest,
  statement: Statement,
  options: CallerOptions = {},
): Promise<Result<Row>> {
  const marked = { ...statement, text: markRole(caller.role, statement.text) };
  const settings = { readOnly: true, ...batchOptions(caller, request, options) };
  const results = await db.batch([setupStatement(caller, request, options), marked], settings);
  return results[1] as Result<Row>;
}

function setupStatement(caller: Caller, request: CallerRequest, options: CallerOptions): Statement {
  if (!ROLES.has(caller.role)) throw new DatabaseError({ code: '22023', message: 'role does not exist' });
  const values = [
    (options.searchPath ?? SEARCH_PATH).map(quoteName).join(', '),
    JSON.stringify(caller.claims),
    JSON.stringify(request.headers),
    request.method,
    request.path,
    request.origin?.address ?? '',
    request.origin?.id ?? '',
    JSON.stringify(request.cookies ?? {}),
    caller.role,
  ];
  return caller.userId === null
    ? { text: SETUP, values }
    : { text: SETUP_WITH_SESSION, values: [...values, caller.sessionId, caller.userId] };
}

/** Deletions stay possible on a nearly full disk, since they free space. The secret key has no time budget. */
function batchOptions({ role }: Caller, { method, path, origin }: CallerRequest, options: CallerOptions): BatchOptions {
  const { heavy = false, unlimited = false } = options;
  const isCounted = origin && role !== 'service_role';
  return {
    client: isCounted ? { address: origin.address, limited: !unlimited, heavy } : undefined,
    essential: (method === 'DELETE' || path.endsWith('/empty')) && role !== 'anon',
    ...options,
  };
}

/** A cached plan skips name lookup, but the right to use a schema depends on the role. */
export const markRole = (role: string, text: string) => `/* ${role} */ ${text}`;
