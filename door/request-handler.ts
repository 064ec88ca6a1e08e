import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Site } from '../app/site.ts';
import { type Backend, isServicePath } from '../backend/index.ts';
import type { Config } from '../config.ts';
import { type AnswerCache, encodingFor, send } from './cache.ts';
import { outboxPage } from './dev-mail.ts';
import { type Stored, store } from './files.ts';
import { InFlight } from './in-flight.ts';
import { visitorOf } from './visitor.ts';

const LONGEST_URL = 8 * 1024;
const RETRY_AFTER_SECONDS = '1';

/** The built site: the app as a function and the files it sends. */
export interface Built {
  site: Site;
  files: Map<string, Stored>;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers every request: from memory where it can, else through the backend's services or the site. */
export function requestHandler(
  parts: Built & { config: Config; backend: Backend | null; cache: AnswerCache },
): RequestHandler {
  const { config, backend, cache, site, files } = parts;
  const inFlight = new InFlight();

  const answer = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const visitor = visitorOf(incoming, config.trustProxy);
    if (path === '/health') return text(200, 'ok');
    if (path === '/ready') return readiness(backend);
    if (path === '/dev/mail' && config.mode === 'development' && config.mail.kind === 'outbox') {
      return outboxPage(config.mail.folder);
    }
    if (backend && isServicePath(path)) {
      const response = await backend.fetch(request, visitor);
      // The database tells of changes too, but over PostgreSQL a moment later than this answer travels.
      if (response.ok && !changesNothingShown(request.method, path)) cache.clear();
      return response;
    }
    return withPageHeaders(await site(request, visitor), config);
  };

  const adapter = getRequestListener(
    async (request, { incoming }) => {
      const message = incoming as unknown as IncomingMessage;
      const key = cache.keyOf(message);
      const generation = cache.generation;
      const response = await answer(request, message);
      // The answer to a HEAD has no body, and must not become what a GET gets.
      const keeps =
        key !== null && message.method !== 'HEAD' && !config.hotReload && mayKeep(message.url!, response, backend);
      if (!keeps && (message.method === 'HEAD' || !isPage(response))) return response;
      const headers = Object.fromEntries(response.headers);
      delete headers['content-length'];
      const body = Buffer.from(await response.arrayBuffer());
      const kept = keeps ? await cache.keep(key, generation, response.status, headers, body) : null;
      const best = encodingFor(message, kept ?? (await store(response.status, headers, body)));
      return new Response(new Uint8Array(best.body), {
        status: response.status,
        headers: { ...headers, ...best.headers },
      });
    },
    { overrideGlobalObjects: false, errorHandler: unexpected },
  );

  return (request, response) => {
    const url = request.url ?? '/';
    if (url.length > LONGEST_URL) return refuse(response, 414, 'This address is too long.');
    if (request.method === 'TRACE' || !url.startsWith('/')) return refuse(response, 405, 'This method is not allowed.');
    const key = cache.keyOf(request);
    const kept = key && cache.find(key);
    if (kept) return send(request, response, kept);
    const file = files.get(url.split('?', 1)[0]!);
    if (file && (request.method === 'GET' || request.method === 'HEAD')) return send(request, response, file);
    const refusal = inFlight.enter(request, response, config.trustProxy);
    if (refusal) return refuse(response, refusal, 'The server is busy. Please try again in a moment.');
    adapter(request, response);
  };
}

/** Calls that write what no public answer shows: each page view makes one, and none may cost everybody the kept pages. */
const UNSEEN = new Set(['/rest/v1/rpc/record_reading', '/rest/v1/rpc/send_message']);

const changesNothingShown = (method: string, path: string): boolean =>
  method === 'GET' || method === 'HEAD' || UNSEEN.has(path);

const isPage = (response: Response) => response.headers.get('content-type')?.startsWith('text/html') === true;

function mayKeep(url: string, response: Response, backend: Backend | null): boolean {
  if (response.status !== 200) return false;
  if (url.startsWith('/rest/v1/')) return backend?.tellsOfChanges === true;
  return (
    response.headers.get('cache-control')?.startsWith('public') === true &&
    !response.headers.has('set-cookie') &&
    !isServicePath(url.split('?', 1)[0]!)
  );
}

function withPageHeaders(response: Response, config: Config): Response {
  const { headers } = response;
  headers.set('x-content-type-options', 'nosniff');
  headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()');
  headers.set('cross-origin-opener-policy', 'same-origin');
  if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  if (config.siteUrl.startsWith('https:')) headers.set('strict-transport-security', 'max-age=31536000');
  return response;
}

async function readiness(backend: Backend | null): Promise<Response> {
  const problems = backend ? await backend.problems() : [];
  if (problems.length) return text(503, problems.join('\n'), { 'retry-after': RETRY_AFTER_SECONDS });
  return text(200, ['ready', ...((await backend?.warnings()) ?? [])].join('; '));
}

const text = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });

function refuse(response: ServerResponse, status: number, words: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'retry-after': RETRY_AFTER_SECONDS,
      connection: 'close',
    })
    .end(words);
}

function unexpected(error: unknown): Response {
  console.error(
    JSON.stringify({ level: 50, time: new Date().toISOString(), msg: String(error), stack: (error as Error)?.stack }),
  );
  return text(500, 'Something went wrong on our side. Please try again.');
}
