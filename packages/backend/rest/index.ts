import { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import type { CleanRichText, RestContext, Service } from '../context.ts';
import { type Database, DatabaseError, DatabaseTimeExceeded, DatabaseUnavailable } from '../database/database.ts';
import { type CallerRequest, queryAsCaller } from '../database/run-as-caller.ts';
import { type Caller, callerOf, holdsSecretKey, isService } from '../http/caller.ts';
import type { ClientInfo } from '../http/client-info.ts';
import { apiHeaders, cors } from '../http/cors.ts';
import { readBytes, readText } from '../http/limits.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { Catalog } from './catalog/catalog.ts';
import { cachedCatalog } from './catalog/load-catalog.ts';
import { errors, knownError, type RestError } from './errors.ts';
import type { RestResponse } from './exchange.ts';
import { type Limits, limitsFor } from './plan/limits.ts';
import { RefusedWrites } from './refused-writes.ts';
import { handleRequest } from './respond/handle-request.ts';
import { fromDatabase } from './respond/sqlstate.ts';

const PREFIX = '/rest/v1';
/** Request header that authorizes access to a guest's draft; read by policies (docs/decisions/006). */
const DRAFT_SECRET = 'x-draft-secret';
/** Empty, or 256 bits: 43 characters of base64url or 64 of hexadecimal. */
const VALID_SECRET = /^([A-Za-z0-9_-]{43}|[0-9a-f]{64})?$/;
const EXPOSED =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Preference-Applied, Server, Transfer-Encoding, Range-Unit, Retry-After';

type Env = { Bindings: ClientInfo; Variables: { isGuest: boolean } };

export async function createRest(context: RestContext, overrides: Partial<Limits> = {}): Promise<Service> {
  const { db, disk, keys, log, project, config } = context;
  const { api } = project;
  const limits: Limits = { ...limitsFor(api), ...overrides };
  const rate = limits.requests && new RateLimit(limits.requests, { db, name: 'rest requests' });
  const admins = new Admins();
  const refusedWrites = new RefusedWrites(db, log);
  const issuer = `${config.siteUrl}/auth/v1`;
  const cleanRichText: CleanRichText = (html) => {
    try {
      return context.cleanRichText(html);
    } catch (error) {
      throw error instanceof RangeError ? errors.body(error.message) : error;
    }
  };
  const getCatalog = await cachedCatalog(db, api.schemas, log);
  // Warm the cache while the rest of the server starts; the first request waits for it, not the start.
  void getCatalog().catch(() => {});

  const app = new Hono<Env>({ strict: false });
  app.use(apiHeaders);
  app.use(cors(EXPOSED));
  app.onError((error, c) => {
    const { id } = c.env;
    const { status, reason, body, headers } = toRestError(error, c.var.isGuest ?? true, id);
    const proxyStatus = /^\w{1,64}$/.test(body.code) && { 'proxy-status': `PostgREST; error=${body.code}` };
    const own = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': id, ...proxyStatus };
    return toResponse({ status, reason, body: JSON.stringify(body), headers: { ...own, ...headers } });
  });
  app.all('*', async (c) => {
    c.set('isGuest', true);
    const { headers } = c.req.raw;
    // Reads for server-rendered pages were counted with the page request.
    const isCounted = rate && !c.env.forPage && !holdsSecretKey(headers, keys);
    const wait = isCounted ? await rate.use(c.env.address) : 0;
    // A legacy service key is a token, so it is verified only when needed.
    if (wait && !(await isService(headers, keys, issuer)))
      throw errors.overRate('Too many requests from this address', wait);
    const startsUpload = c.req.method === 'POST' && api.begins_with_files.includes(c.req.path.slice(PREFIX.length + 1));
    if (startsUpload && !(await disk.has('files'))) throw errors.noRoom();
    if (!VALID_SECRET.test(c.req.header(DRAFT_SECRET) ?? '')) throw errors.malformedHeader(DRAFT_SECRET);
    const caller = await callerOf(headers, keys, issuer);
    c.set('isGuest', caller.role === 'anon');
    const catalog = await getCatalog();
    const response = await handleRequest({
      db,
      log,
      limits,
      api,
      cleanRichText,
      catalog,
      caller,
      isAdmin: (request) => admins.has(db, caller, request, catalog),
      refusedWrites,
      url: c.req.url,
      prefix: PREFIX,
      headers,
      method: c.req.method,
      origin: c.env,
      body: { text: () => readText(c, limits.body), bytes: () => readBytes(c, limits.body) },
    });
    const mayCache = isPublicRead(c.req.raw, caller.role === 'anon', c.req.path.slice(PREFIX.length));
    return toResponse(response, { isHead: c.req.method === 'HEAD', mayCache });
  });

  function toRestError(error: unknown, isGuest: boolean, id: string): RestError {
    const ownError = knownError(error);
    if (ownError) return ownError;
    if (error instanceof DatabaseError) {
      const restError = fromDatabase(error, isGuest);
      // Rate limits are the client's fault; a full disk is reported once, by readiness.
      if (error.code === '57014') log.warn({ id }, 'statement cancelled: time limit');
      else if (restError.status >= 500 && restError.status !== 507)
        log.error({ id, code: error.code, message: error.message }, 'statement failed');
      return restError;
    }
    if (error instanceof DatabaseTimeExceeded)
      return errors.overRate('Database time limit of this address reached', error.seconds);
    if (error instanceof DatabaseUnavailable) return errors.unavailable();
    log.error({ id, err: error }, 'data request failed');
    return errors.internal();
  }

  return {
    routes: [`${PREFIX}/rpc/:function`, `${PREFIX}/:table`, PREFIX].map((path) => ({ method: 'ALL', path })),
    fetch: (request, origin) => app.fetch(request, origin),
    close: () => refusedWrites.close(),
  };
}

/** Cached per user from one of these: decides how long statements may take, not permissions. */
const RIGHTS = ['can_edit_content', 'is_admin'];

export class Admins {
  readonly #cached = new LRUCache<string, boolean>({ max: 1_000, ttl: 60_000 });

  /** @throws DatabaseError PT401 when the session has ended */
  async has(db: Database, caller: Caller, request: CallerRequest, catalog: Catalog): Promise<boolean> {
    if (caller.role !== 'authenticated' || caller.userId === null) return false;
    const routines = catalog.schemas.get('public')?.routines;
    const right = RIGHTS.find((name) =>
      routines?.get(name)?.some(({ parameters, roles }) => parameters.length === 0 && roles.has('authenticated')),
    );
    if (!right) return false;
    const cached = this.#cached.get(caller.userId);
    if (cached !== undefined) return cached;
    const statement = { text: `select public.${right}() as "isAdmin"` };
    const { rows } = await queryAsCaller<{ isAdmin: boolean }>(db, caller, request, statement, { unlimited: true });
    const isAdmin = rows[0]?.isAdmin === true;
    this.#cached.set(caller.userId, isAdmin);
    return isAdmin;
  }
}

const VARY = 'Authorization, apikey, Accept, Accept-Profile, Prefer, Range, Origin';

const CREDENTIAL_HEADERS = [DRAFT_SECRET, 'x-setup-key'];

/** @param isHead send no length for an omitted body @param mayCache the browser may cache it but must revalidate */
export function toResponse(
  { status, body, headers, reason }: RestResponse,
  { isHead = false, mayCache = false }: { isHead?: boolean; mayCache?: boolean } = {},
): Response {
  const allHeaders: RestResponse['headers'] = {
    'cache-control': mayCache && status < 300 ? 'private, no-cache' : 'no-store',
    vary: VARY,
    ...(body === null && status !== 204 && !isHead ? { 'content-length': '0' } : {}),
    ...headers,
  };
  const pairs = Object.entries(allHeaders).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const content = [204, 205, 304].includes(status) ? null : body;
  return new Response(content, { status, statusText: reason ?? '', headers: pairs });
}

/** True when every client gets the same response: an anonymous GET of a table without any credential. */
export const isPublicRead = (request: Request, isGuest: boolean, path: string): boolean =>
  isGuest &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  !path.startsWith('/rpc/') &&
  !CREDENTIAL_HEADERS.some((name) => request.headers.has(name));
