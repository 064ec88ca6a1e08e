import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Encoding, Stored } from '../files.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const ENTRY_OVERHEAD_BYTES = 2 * 1024;
const STALE_MS = 24 * 60 * 60 * 1000;
const STALE_RETRY_MS = 10_000;

/** Request headers that change a public response, so they are part of its key (TM-41). */
const KEY_HEADERS = ['accept', 'prefer', 'range', 'accept-profile', 'x-supabase-api-version'] as const;

/** A request with one of these is private: neither served from the cache nor stored (TM-41). */
const PRIVATE_HEADERS = ['authorization', 'cookie', 'x-draft-secret', 'x-setup-key'] as const;

/** The only cookie that pages read (`draft-cookie.ts`), by both names. */
const DRAFT_COOKIE = /(?:^|[;\s])(?:__Host-)?drafts=/;

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];
const ACCEPTS: Record<Encoding, RegExp> = { br: /\bbr\b/, gzip: /\bgzip\b/ };
const REFUSED = /(?<![\w-])[\w-]+\s*;\s*q=0(\.0*)?\s*(,|$)/g; // A long word is tried once.

type Entry = { stored: Stored; until: number; staleUntil: number };

/** A change empties the cache and discards responses begun before it: readers see their own writes. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #publishableKey: string;
  readonly #lifetimeMs: number;
  #generation = 0;
  #paused = false;

  /** @param lifetimeMs Infinity for our own backend, which notifies of changes */
  constructor(publishableKey: string, lifetimeMs: number, maxBytes = 64 * 1024 * 1024) {
    this.#publishableKey = publishableKey;
    this.#lifetimeMs = lifetimeMs;
    const sizeCalculation = ({ stored: { plain, br, gzip } }: Entry) =>
      plain.length + (br?.length ?? 0) + (gzip?.length ?? 0) + ENTRY_OVERHEAD_BYTES;
    this.#entries = new LRUCache({ max: 2_000, maxSize: maxBytes, sizeCalculation });
  }

  /** Increases with each change of what is shown; null while changes cannot be noticed. */
  get generation(): number | null {
    return this.#paused ? null : this.#generation;
  }

  clear(): void {
    this.#paused = false;
    this.#generation++;
    this.#entries.clear();
  }

  /** Stores nothing until it is cleared: changes cannot be noticed. */
  pause(): void {
    this.clear();
    this.#paused = true;
  }

  /** Null for anything but a public read. @param readsDraftCookie whether the page at a path depends on that cookie */
  keyOf(request: IncomingMessage, readsDraftCookie: (path: string) => boolean): string | null {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { headers } = request;
    const url = request.url ?? '/';
    const isData = url.startsWith('/rest/v1/');
    for (const name of PRIVATE_HEADERS) {
      if (headers[name] === undefined) continue;
      // The client repeats the publishable key as bearer without a session.
      if (name === 'authorization' && isData && headers.authorization === `Bearer ${this.#publishableKey}`) continue;
      // Pages are rendered without cookies, unless the route reads draft links; a database function may read any.
      if (name === 'cookie' && !isData && !(DRAFT_COOKIE.test(headers.cookie!) && readsDraftCookie(pathOf(url))))
        continue;
      return null;
    }
    if (isData && headers['apikey'] !== this.#publishableKey) return null;
    // A function may return a different result each time; a HEAD of data has no body to share with its GET.
    if (isData && (request.method === 'HEAD' || url.startsWith('/rest/v1/rpc/'))) return null;
    return isData ? `${url}\n${KEY_HEADERS.map((name) => headers[name] ?? '').join('\n')}` : url;
  }

  find(key: string): Stored | null {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.stored : null;
  }

  findStale(key: string): Stored | null {
    const entry = this.#entries.get(key);
    const now = Date.now();
    if (!entry || entry.staleUntil <= now) return null;
    entry.until = Math.max(entry.until, now + STALE_RETRY_MS);
    return entry.stored;
  }

  store(key: string, generation: number | null, stored: Stored): void {
    if (generation === null || generation !== this.generation || stored.plain.length > MAX_BODY_BYTES) return;
    const expires = Date.parse(stored.headers['expires'] ?? '');
    const until = Math.min(Date.now() + this.#lifetimeMs, expires || Number.POSITIVE_INFINITY);
    this.#entries.set(key, { stored, until, staleUntil: until + STALE_MS });
  }
}

const pathOf = (url: string) => url.split('?', 1)[0]!;

export function bestEncoding({ headers }: IncomingMessage, isAvailable: (encoding: Encoding) => boolean = () => true) {
  const accepted = String(headers['accept-encoding'] ?? '').replace(REFUSED, '');
  return ENCODINGS.find((encoding) => isAvailable(encoding) && ACCEPTS[encoding].test(accepted)) ?? null;
}

export function encodingFor(request: IncomingMessage, stored: Stored) {
  const encoding = bestEncoding(request, (candidate) => stored[candidate] !== null);
  const vary = [stored.headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  const headers = { vary, ...(encoding && { 'content-encoding': encoding }) };
  return { body: (encoding && stored[encoding]) ?? stored.plain, headers };
}

export function send(request: IncomingMessage, response: ServerResponse, stored: Stored): void {
  const best = encodingFor(request, stored);
  const headers = { ...stored.headers, ...best.headers, etag: stored.etag };
  if (stored.status === 200 && request.headers['if-none-match']?.includes(stored.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(stored.status, { ...headers, 'content-length': best.body.length });
  response.end(request.method === 'HEAD' ? undefined : best.body);
}

const CDN_STALE_SECONDS = 86_400;
/** Further headers that grant access or change the response: the data service names the rest itself. */
const CDN_VARY = 'X-Draft-Secret, X-Setup-Key, X-Supabase-Api-Version';

/** Allows a CDN to store a public response (RFC 9213); browsers still revalidate each time. */
export function setCdnHeaders(headers: Record<string, string>, seconds: number): void {
  headers['cdn-cache-control'] =
    `max-age=${seconds}, stale-while-revalidate=${seconds}, stale-if-error=${CDN_STALE_SECONDS}`;
  if (headers['vary']) headers['vary'] += `, ${CDN_VARY}`;
}
