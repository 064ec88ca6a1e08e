import type { Caller } from '../http/caller.ts';
import type { ClientInfo } from '../http/client-info.ts';
import type { Asker, BatchOptions, Connection, Database, Result, Statement } from './database.ts';
import { DatabaseError, quoteName } from './database.ts';

export interface CallerRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  origin?: ClientInfo;
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
  set_config('role', $8, true)`;
const SET_UP = `select ${SETTINGS}`;
const SET_UP_PERSON = `select auth.check_session($9::uuid, $10::uuid), ${SETTINGS}`;

/** Commits when `work` resolves. @throws DatabaseError PT401 when the session has ended or its user is deleted */
export function asCaller<T>(
  db: Database,
  caller: Caller,
  request: CallerRequest,
  work: (tx: Connection) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  return db.transaction(work, {
    asker: askerOf(caller, request, options),
    essential: makesRoom(caller, request),
    ...options,
    first: [setUp(caller, request, options)],
  });
}

/**
 * @param options `readOnly` by default
 * @throws DatabaseError PT401 when the session has ended or its user is deleted
 */
export async function asCallerOnce<Row = Record<string, unknown>>(
  db: Database,
  caller: Caller,
  request: CallerRequest,
  statement: Statement,
  options: CallerOptions = {},
): Promise<Result<Row>> {
  const own = { ...statement, text: markedFor(caller.role, statement.text) };
  const results = await db.batch([setUp(caller, request, options), own], {
    asker: askerOf(caller, request, options),
    essential: makesRoom(caller, request),
    readOnly: true,
    ...options,
  });
  return results[1] as Result<Row>;
}

/** Deletions remain possible on a nearly full disk, since they free space. */
const makesRoom = ({ role }: Caller, { method }: CallerRequest) => method === 'DELETE' && role !== 'anon';

function setUp(caller: Caller, request: CallerRequest, options: CallerOptions): Statement {
  if (!ROLES.has(caller.role)) throw new DatabaseError({ code: '22023', message: 'role does not exist' });
  const values = [
    (options.searchPath ?? SEARCH_PATH).map(quoteName).join(', '),
    JSON.stringify(caller.claims),
    JSON.stringify(request.headers),
    request.method,
    request.path,
    request.origin?.address ?? '',
    request.origin?.id ?? '',
    caller.role,
  ];
  return caller.userId === null
    ? { text: SET_UP, values }
    : { text: SET_UP_PERSON, values: [...values, caller.sessionId, caller.userId] };
}

/** The secret key's requests count for no address. */
const askerOf = (
  { role }: Caller,
  { origin }: CallerRequest,
  { heavy, unlimited }: CallerOptions,
): Asker | undefined =>
  origin && role !== 'service_role'
    ? { address: origin.address, limited: !unlimited, heavy: heavy ?? false }
    : undefined;

/** A cached plan skips name lookup, but the right to use a schema differs by role. */
const markedFor = (role: string, text: string) => `/* ${role} */ ${text}`;
