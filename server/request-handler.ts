import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Logger } from 'pino';
import type { Site } from '../app/site.ts';
import { type Config, limits } from '../packages/backend/config/config.ts';
import { clientAddress } from '../packages/backend/http/client-address.ts';
import type { ClientInfo } from '../packages/backend/http/client-info.ts';
import { currentRequest } from '../packages/backend/http/current-request.ts';
import { RateLimit } from '../packages/backend/http/rate-limit.ts';
import { serviceIn } from '../packages/backend/http/service-path.ts';
import type { Backend } from '../packages/backend/index.ts';
import { type Admission, isTooLarge } from './admission.ts';
import type { PictureCache, PictureKey } from './cache/picture-cache.ts';
import { bestEncoding, encodingFor, type ResponseCache, send, setCdnHeaders } from './cache/response-cache.ts';
import { RenderSlots, SharedResponses } from './cache/shared-responses.ts';
import { type Stored, store } from './files.ts';
import { isMalformed, isReadable } from './malformed.ts';
import { plainText } from './plain-text.ts';
import { probes } from './probes.ts';
import type { ReleaseAssets } from './release-assets.ts';
import { memoizeRoute, servicePatterns } from './telemetry/route-patterns.ts';
import type { Telemetry, TracedRequest } from './telemetry/telemetry.ts';

const MAX_URL_LENGTH = 8 * 1024;
const PROBE = /^\/(?:health|ready)(?:\?|$)/;
const MALFORMED = 'This request is malformed.';
const NO_PROXY = { consequence: 'all visitors count as one address', fix: 'set TRUST_PROXY to the number of proxies' };
const PAGES = { points: limits.pages.value, seconds: limits.pages.seconds };
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Handles every request: from memory where possible, else by the backend's services or the site. */
export function requestHandler(parts: {
  site: Site;
  files: Map<string, Stored>;
  config: Config;
  backend: Backend | null;
  cache: ResponseCache;
  pictures: PictureCache | null;
  admission: Admission;
  log: Logger;
  telemetry: Telemetry | null;
  assets: ReleaseAssets | null;
  isDraining: () => boolean;
}): RequestListener {
  const { config, backend, cache, pictures, admission, log, telemetry, site, files } = parts;
  const shared = new SharedResponses(cache);
  const renderSlots = new RenderSlots();
  const pages = backend?.rateLimit('pages', PAGES) ?? new RateLimit(PAGES);
  // Without TRUST_PROXY, all visitors behind a proxy share one limit.
  let warnedOfProxy = false;

  const fetchResponse = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const client = clientAddress(incoming, config.trustProxy);
    if (config.trustProxy === 0 && !warnedOfProxy && incoming.headers['x-forwarded-for'] !== undefined) {
      warnedOfProxy = true;
      log.warn(NO_PROXY, 'X-Forwarded-For received while TRUST_PROXY is 0');
    }
    if (path === '/dev/mail' && config.mode === 'development' && config.mail.kind === 'outbox')
      return outboxPage(config.mail.folder);
    const response =
      backend && serviceIn(path)
        ? await backend.fetch(request, client)
        : isTooLarge(incoming)
          ? plainText(413, 'This form contains too much.')
          : withPageHeaders(await page(request, incoming, path, client), config);
    // A client that completed a write must see its effect in later responses.
    if (!READS.has(request.method)) await backend?.caughtUp();
    return response;
  };

  const page = async (request: Request, incoming: IncomingMessage, path: string, client: ClientInfo) => {
    const seconds = await pages.use(client.address);
    if (seconds) return site.refuse({ status: 429, seconds }, path);
    const asset = READS.has(request.method) ? await parts.assets?.find(path) : null;
    if (asset) return asResponse(incoming, asset);
    const result = await renderSlots.run(() => site.answer(request, client));
    return result ?? site.refuse({ status: 503, seconds: 1 }, path);
  };

  /** Cache key of a public response; null for a private one. */
  const keyOf = (request: IncomingMessage): string | null => {
    const key = cache.keyOf(request, site.readsDraftCookie);
    if (key === null) return null;
    return isDataPath(key) ? (backend?.notifiesChanges ? key : null) : site.keptAddress(key);
  };

  const respond = async (request: Request, message: IncomingMessage, key: string | null): Promise<Result> => {
    const { generation } = cache;
    const response = await fetchResponse(request, message);
    // While a hosted backend is down, serve a stale response.
    const hasFailed = response.status >= 500 || (response.ok && response.headers.has('x-incomplete'));
    const stale = hasFailed && key !== null ? cache.findStale(key) : null;
    if (stale) return { stored: stale, isCacheable: true };
    // A HEAD has no body, and must not be cached for GET.
    const isCacheable = key !== null && message.method !== 'HEAD' && mayCache(key, response);
    if (!isCacheable && (message.method === 'HEAD' || !isPage(response))) return { response };
    const headers = Object.fromEntries(response.headers);
    delete headers['content-length'];
    if (isCacheable && config.cdnSeconds) setCdnHeaders(headers, config.cdnSeconds);
    const body = Buffer.from(await response.arrayBuffer());
    const stored = await store(response.status, headers, body, isCacheable ? undefined : bestEncoding(message));
    if (isCacheable) cache.store(key, generation, stored);
    return { stored, isCacheable };
  };

  const respondPicture = async (request: Request, message: IncomingMessage, picture: PictureKey): Promise<Response> => {
    const { generation } = pictures!;
    const response = await fetchResponse(withoutCookies(request, message.url!), message);
    return pictures!.store(picture, generation, message, response);
  };

  const report = (err: unknown) => log.error({ err }, 'request failed');

  const errorResponse = (error: unknown): Response => {
    if (error instanceof RequestError) return plainText(400, MALFORMED, { connection: 'close' });
    report(error);
    return plainText(500, 'Something went wrong on our side. Please try again.');
  };

  const adapter = getRequestListener(
    admission.withSlot(async (request, { incoming: message, outgoing }) => {
      const picture = pictures?.keyOf(message);
      if (picture) return respondPicture(request, message, picture);
      const key = keyOf(message);
      const finish = key === null || message.method === 'HEAD' ? null : shared.begin(key);
      let sharedResponse: Stored | null = null;
      try {
        // A shared page is rendered for all its waiting clients, independent of the first one's cookies and connection.
        const forward = key === null || isDataPath(key) ? request : withoutCookies(request, key);
        const result = await respond(forward, message, key);
        if ('response' in result) {
          // The adapter drops the reason phrase.
          if (result.response.statusText) outgoing.statusMessage = result.response.statusText;
          return result.response;
        }
        if (result.isCacheable) sharedResponse = result.stored;
        return asResponse(message, result.stored);
      } finally {
        finish?.(sharedResponse);
      }
    }),
    { overrideGlobalObjects: false, errorHandler: errorResponse },
  );
  const probe = probes(config, backend, parts.isDraining, report);

  const handle = (request: IncomingMessage, response: ServerResponse, traced?: TracedRequest) => {
    const url = request.url ?? '/';
    if (url.length > MAX_URL_LENGTH) return refuse(response, 414, 'This address is too long.');
    if (request.method === 'TRACE') return refuse(response, 405, 'This method is not allowed.');
    const isProbe = PROBE.test(url);
    if (isMalformed(request, isProbe)) return refuse(response, 400, MALFORMED);
    if (isProbe) return void probe(url, response);
    const picture = pictures?.keyOf(request);
    if (picture && pictures!.send(picture, request, response)) return markCached();
    const requestKey = cache.keyOf(request, site.readsDraftCookie);
    const cached = requestKey && cache.find(requestKey);
    if (cached) return sendStored(cached);
    const file = files.get(url.split('?', 1)[0]!);
    if (file && (request.method === 'GET' || request.method === 'HEAD')) return sendStored(file);
    const key = requestKey && keyOf(request);
    const canonical = key && key !== requestKey && cache.find(key);
    if (canonical) return sendStored(canonical);
    const pending = key && shared.find(key);
    const begin = () => void adapter(request, response);
    const admit = () => admission.admit(request, response, traced ? () => currentRequest.run(traced, begin) : begin);
    if (!pending) return admit();
    // Waiting for a shared response takes no slot.
    void pending.then((stored) => (stored ? sendStored(stored) : admit()));

    function sendStored(stored: Stored): void {
      markCached();
      send(request, response, stored);
    }

    function markCached(): void {
      if (traced) traced.cached = true;
    }
  };
  if (!telemetry) return handle;
  const servicePattern = servicePatterns(backend?.routes ?? []);
  const routeOf = memoizeRoute((method, url) => {
    if (!isReadable(url) || url.length > MAX_URL_LENGTH) return 'damaged';
    const [path] = url.split('?', 1) as [string];
    if (PROBE.test(url)) return path;
    if (files.has(path)) return 'file';
    return serviceIn(path) && backend ? servicePattern(method, path) : site.routeOf(path);
  });
  return (request, response) => handle(request, response, telemetry.watch(request, response, routeOf));
}

type Result = { response: Response } | { stored: Stored; isCacheable: boolean };

/** The request of a shared page: canonical URL, no cookies, and no abort when one client disconnects. */
function withoutCookies({ url, method, headers }: Request, key: string): Request {
  const request = new Request(new URL(key, url), { method, headers });
  request.headers.delete('cookie');
  return request;
}

function asResponse(message: IncomingMessage, stored: Stored): Response {
  const encoded = encodingFor(message, stored);
  const headers = { ...stored.headers, ...encoded.headers };
  return new Response(new Uint8Array(encoded.body), { status: stored.status, headers });
}

const isPage = (response: Response) => response.headers.get('content-type')?.startsWith('text/html') === true;

const isDataPath = (key: string) => key.startsWith('/rest/v1/');

const mayCache = (key: string, { status, headers }: Response): boolean =>
  status === 200 &&
  (isDataPath(key) || (headers.get('cache-control')?.startsWith('public') === true && !headers.has('set-cookie')));

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

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(message);
}

/** Never mounted in production. */
async function outboxPage(folder: string): Promise<Response> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse();
  const mails = await Promise.all(
    names.slice(0, 50).map(async (name) => `──── ${name}\n\n${await readFile(join(folder, name), 'utf8')}`),
  );
  return plainText(200, mails.join('\n\n') || 'No email yet.', { 'x-content-type-options': 'nosniff' });
}
