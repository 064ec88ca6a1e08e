import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Site, SiteSettings } from '../app/site.ts';
import { type Backend, createBackend, isServicePath } from '../backend/index.ts';
import type { Config, OwnBackend } from '../config.ts';
import { AnswerCache, encodingFor, send } from './cache.ts';
import { outboxPage } from './dev-mail.ts';
import { developmentSite } from './development.ts';
import { readBuiltFiles, type Stored, store } from './files.ts';
import { InFlight } from './in-flight.ts';
import { SocialCards } from './social-card.ts';
import { visitorOf } from './visitor.ts';

const LARGEST_HEADERS = 16 * 1024;
const LONGEST_URL = 8 * 1024;
const HEADERS_MS = 10_000;
const REQUEST_MS = 120_000;
const IDLE_MS = 60_000;
const HOSTED_LIFETIME_MS = 30_000;
const RETRY_AFTER_SECONDS = '1';
const BUILD = join(import.meta.dirname, '..', 'build');

export interface Door {
  /** Where it listens, for people: `http://127.0.0.1:3000`. */
  address: string;
  backend: Backend | null;
  close(): Promise<void>;
}

/** Starts backend and site and listens. Requests that need neither are answered here, before any adapter. */
export async function openDoor(config: Config): Promise<Door> {
  await tryPort(config);
  const backend =
    config.backend.kind === 'own' ? await createBackend(config as Config & { backend: OwnBackend }) : null;
  const server = createServer({
    maxHeaderSize: LARGEST_HEADERS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
  });
  try {
    const settings = siteSettings(config, backend);
    const cache = new AnswerCache(
      settings.supabase.publishableKey,
      backend ? Number.POSITIVE_INFINITY : HOSTED_LIFETIME_MS,
    );
    backend?.onChange(() => cache.clear());
    if (config.hotReload) {
      const { before, ...built } = await developmentSite(server, settings);
      const front = frontOf({ config, backend, cache, ...built });
      server.on('request', (request, response) => before(request, response, () => front(request, response)));
    } else {
      server.on('request', frontOf({ config, backend, cache, ...(await builtSite(settings)) }));
    }
    await listen(server, config);
  } catch (error) {
    await backend?.close();
    throw error;
  }
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    backend,
    async close() {
      const stopped = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await stopped;
      await backend?.close();
    },
  };
}

function siteSettings(config: Config, backend: Backend | null): SiteSettings {
  const cards = new SocialCards(join(config.dataDir, 'social'), join(BUILD, 'faces'));
  const { captcha } = config;
  const drawCard: SiteSettings['drawCard'] = (card, version, cover) => cards.draw(card, version, cover);
  if (config.backend.kind === 'own') {
    return {
      origin: config.siteUrl,
      supabase: { url: config.siteUrl, publishableKey: backend!.publishableKey, own: true },
      fetch: (request, visitor) => backend!.fetch(request, visitor),
      drawCard,
      captcha,
      developmentSetupKey:
        config.mode === 'development' ? (config.backend.setupKey ?? backend!.generatedSetupKey) : null,
    };
  }
  return {
    origin: config.siteUrl,
    supabase: { url: config.backend.url.origin, publishableKey: config.backend.publishableKey, own: false },
    fetch: (request) => fetch(request),
    drawCard,
    captcha,
    developmentSetupKey: null,
  };
}

interface Built {
  site: Site;
  files: Map<string, Stored>;
}

async function builtSite(settings: SiteSettings): Promise<Built> {
  const { createSite } = (await import(join(BUILD, 'server', 'index.js'))) as typeof import('../app/site.ts');
  return { site: createSite(settings), files: await readBuiltFiles(join(BUILD, 'client')) };
}

/** A port that is taken is told before a database is made or changed for nothing. @throws Error with one line about it */
async function tryPort(config: Config): Promise<void> {
  const server = createServer();
  await listen(server, config);
  await new Promise((resolve) => server.close(resolve));
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} on ${host} is taken. Stop the other program or set PORT to a free one.`)
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });
}

type Front = (request: IncomingMessage, response: ServerResponse) => void;

function frontOf(house: Built & { config: Config; backend: Backend | null; cache: AnswerCache }): Front {
  const { config, backend, cache, site, files } = house;
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
  return problems.length ? text(503, problems.join('\n'), { 'retry-after': RETRY_AFTER_SECONDS }) : text(200, 'ready');
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
