import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Context as Exchange, Hono } from 'hono';
import type { BackendContext, Service } from '../context.ts';
import { NO_ROOM, NO_ROOM_RETRY_SECONDS } from '../data-dir/disk-space.ts';
import { DatabaseError, DatabaseUnavailable, DISK_FULL, withTimeout } from '../database/database.ts';
import { anonymous, BadToken, type Caller, callerOf } from '../http/caller.ts';
import type { ClientInfo } from '../http/client-info.ts';
import { apiHeaders, cors } from '../http/cors.ts';
import { BodyError, BREADTH, JSON_DEPTH, jsonDepth, readBytes, tooWide } from '../http/limits.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { serviceIn } from '../http/service-path.ts';

type Env = { Bindings: ClientInfo };
type Fetch = (request: Request, origin: ClientInfo) => Promise<Response>;

const MAX_BODY_BYTES = 16 * 1024;
const TIMEOUT_MS = 30_000;
const FIVE_MINUTES_SECONDS = 300;

/** Runs `supabase/functions/NAME/handler.ts` in this process. @param host what functions of the product may use */
export async function createFunctions(context: BackendContext, fetchBackend: Fetch, host: object): Promise<Service> {
  const { project, config, db, keys, log } = context;
  const rateLimit = (points: number, limitName: string) =>
    new RateLimit({ points, seconds: FIVE_MINUTES_SECONDS }, { db, name: limitName });
  const perAddress = rateLimit(project.auth.rate_limit.sign_in_sign_ups, 'functions');
  const ownRates = new Map<string, RateLimit>();
  for (const [name, { rate }] of Object.entries(project.functions))
    if (rate) ownRates.set(name, rateLimit(rate, `function ${name}`));
  const app = new Hono<Env>().basePath('/functions/v1');
  app.use(apiHeaders);
  app.use(cors('Retry-After'));

  app.all('/:name/*', async (c) => {
    const name = c.req.param('name');
    const wait = await (ownRates.get(name) ?? perAddress).use(c.env.address);
    if (wait > 0) return refuse(c, 429, 'Too many requests. Try again later.', { 'retry-after': String(wait) });
    const settings = Object.hasOwn(project.functions, name) ? project.functions[name] : undefined;
    const run = settings?.enabled === false ? null : await loadFunction(project.folder, name);
    if (!run) return refuse(c, 404, 'There is no such function.');
    if (settings?.verify_jwt !== false) await requireCredential(context, c);

    const { url, method, headers, signal } = c.req.raw;
    const body = await readBytes(c, MAX_BODY_BYTES);
    const problem = bodyProblem(body.toString());
    if (problem) return refuse(c, 400, problem);
    const origin = { ...c.env };
    const functionContext = {
      supabaseUrl: config.siteUrl,
      serviceKey: keys.secret,
      siteUrl: config.siteUrl,
      fetch: (input: string | URL | Request, init?: RequestInit) => {
        const request = new Request(input, init);
        const { origin: site, pathname } = new URL(request.url);
        return site === config.siteUrl && serviceIn(pathname) ? fetchBackend(request, origin) : fetch(request);
      },
      /** Sets the user that later service-key requests are audited as. */
      actFor: (caller: NonNullable<ClientInfo['onBehalfOf']>) => {
        origin.onBehalfOf = caller;
      },
      log: log.child({ function: name }),
      host,
    };
    const request = new Request(url, { method, headers, signal, body: body.length ? new Uint8Array(body) : null });
    const timeoutError = () => new Error(`no response within ${TIMEOUT_MS} ms`);
    const response = await withTimeout(run(request, functionContext), TIMEOUT_MS, timeoutError);
    // Headers of a redirect or of a fetched response cannot be changed, and `fetch` has already decompressed its body.
    const answer = new Response(response.body, response);
    if (response.url) for (const header of ['content-encoding', 'content-length']) answer.headers.delete(header);
    return answer;
  });

  app.notFound((c) => refuse(c, 404, 'There is no such function.'));
  app.onError((error, c) => {
    if (error instanceof BadToken) return refuse(c, 401, 'Invalid JWT');
    if (error instanceof BodyError) return refuse(c, error.status, error.message);
    if (error instanceof DatabaseError && error.code === 'PT401') return refuse(c, 401, error.message);
    if (error instanceof DatabaseError && error.code === DISK_FULL)
      return refuse(c, 507, NO_ROOM, { 'retry-after': String(NO_ROOM_RETRY_SECONDS) });
    if (error instanceof DatabaseUnavailable)
      return refuse(c, 503, 'The service is busy. Try again shortly.', { 'retry-after': '2' });
    log.error({ err: error, request: c.env.id, path: c.req.path }, 'a function failed');
    return refuse(c, 500, 'The function failed.');
  });
  return { routes: app.routes, fetch: (request, origin) => app.fetch(request, origin), close: async () => undefined };
}

/** Accepts any valid key or token; a user's session must not have ended. */
async function requireCredential({ keys, config, db }: BackendContext, c: Exchange<Env>): Promise<void> {
  if (!c.req.header('authorization') && !c.req.header('apikey'))
    throw new BadToken('empty', 'Missing authorization header');
  const caller: Caller = await callerOf(c.req.raw.headers, keys, `${config.siteUrl}/auth/v1`);
  if (caller.role !== anonymous.role && caller.userId)
    await db.query('select auth.check_session($1::uuid, $2::uuid)', [caller.sessionId, caller.userId]);
}

function refuse(c: Exchange<Env>, status: number, error: string, headers?: Record<string, string>): Response {
  return c.json({ success: false, error }, status as 400, headers);
}

function bodyProblem(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  if (jsonDepth(text) > JSON_DEPTH) return `JSON is nested deeper than ${JSON_DEPTH} levels`;
  try {
    return tooWide(JSON.parse(text), BREADTH);
  } catch {
    return null;
  }
}

/** Functions declare the context themselves, because they import nothing of this package. */
type FunctionHandler = (request: Request, context: object) => Promise<Response>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/** Default export of `functions/NAME/handler.ts`; null when missing. @throws Error when the file cannot be run */
async function loadFunction(projectFolder: string, name: string): Promise<FunctionHandler | null> {
  if (!NAME.test(name)) return null;
  const file = join(projectFolder, 'functions', name, 'handler.ts');
  if (!existsSync(file)) return null;
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default?: unknown };
  if (typeof module.default !== 'function') throw new Error(`${file} has no default export that is a function`);
  return module.default as FunctionHandler;
}
