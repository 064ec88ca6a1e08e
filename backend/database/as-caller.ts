import type { Caller } from '../http/caller.ts';
import type { ClientInfo } from '../http/client-info.ts';
import type { Asker, BatchOptions, Connection, Database, Result, Statement } from './database.ts';
import { DatabaseError, quoteName } from './database.ts';

/** The request as policies and functions see it. */
export interface CallerRequest {
  method: string;
  /** Without the service's prefix. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Who asks: written beside what is recorded in the audit log. */
  origin?: ClientInfo;
}

export interface CallerOptions extends BatchOptions {
  /** Schemas in which unqualified names are looked up; `public, extensions` unless told. */
  searchPath?: readonly string[];
  /** The request is known to be costly: it gives way to others. */
  heavy?: boolean;
  /** The database time of the address does not end for this caller. */
  unlimited?: boolean;
}

const ROLES = new Set(['anon', 'authenticated', 'service_role']);
const SEARCH_PATH = ['public', 'extensions'];

// The session is checked first, by the server's own role; the caller's role is taken on last.
const SETTINGS = `set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.headers', $3, true), set_config('request.method', $4, true),
  set_config('request.path', $5, true), set_config('request.address', $6, true), set_config('request.id', $7, true),
  set_config('role', $8, true)`;
const SET_UP = `select ${SETTINGS}`;
const SET_UP_PERSON = `select auth.check_session($9::uuid, $10::uuid), ${SETTINGS}`;

/**
 * An interactive transaction as the caller: role, claims and request are set for it alone, and a person's session is
 * checked. Commits when `work` resolves.
 * @throws DatabaseError PT401 when the session is over or its owner is gone
 */
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
 * One statement in a transaction of its own as the caller: one message to the engine.
 * @param options `readOnly` unless told otherwise
 * @throws DatabaseError PT401 when the session is over or its owner is gone
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

/** Deleting goes on when the disk is nearly full: it is how somebody makes room. */
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

/** Whose time it is: nobody's for who holds the secret key. */
const askerOf = (
  { role }: Caller,
  { origin }: CallerRequest,
  { heavy, unlimited }: CallerOptions,
): Asker | undefined =>
  origin && role !== 'service_role'
    ? { address: origin.address, limited: !unlimited, heavy: heavy ?? false }
    : undefined;

/** A prepared statement remembers that its names were found; who may look into a schema differs by role. */
const markedFor = (role: string, text: string) => `/* ${role} */ ${text}`;
