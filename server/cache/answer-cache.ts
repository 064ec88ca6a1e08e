import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Encoding, Stored } from '../files.ts';
import { BoundedMap } from './bounded-map.ts';

const MOST_ENTRIES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;
const LARGEST_BODY = 4 * 1024 * 1024;
/** Memory of an entry besides its bodies: key, headers, objects. */
const OVERHEAD = 2 * 1024;
/** How long an expired response may be used while a hosted backend does not respond, and how long until the next attempt. */
const STALE_MS = 24 * 60 * 60 * 1000;
const AWAY_MS = 10_000;

/** Request headers that change a public response, so they are part of its key (TM-41). */
const VARYING = ['accept', 'prefer', 'range', 'accept-profile', 'x-supabase-api-version'] as const;

/** A request with one of these is private: neither answered from the cache nor stored (TM-41). */
const PRIVATE = ['authorization', 'cookie', 'x-draft-secret', 'x-setup-key'] as const;

/** The only cookie that pages read (`draft-cookie.ts`), by both of its names. Others belong to a proxy, or to another program of the host. */
const DRAFT_COOKIE = /(?:^|[;\s])(?:__Host-)?drafts=/;

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];
const TAKES: Record<Encoding, RegExp> = { br: /\bbr\b/, gzip: /\bgzip\b/ };

interface Entry {
  stored: Stored;
  /** Milliseconds since 1970. */
  until: number;
  /** Until when it may be used if no new one can be made. */
  staleUntil: number;
}

/** In bytes, with all encodings. */
const sizeOf = ({ plain, br, gzip }: Stored) => plain.length + (br?.length ?? 0) + (gzip?.length ?? 0) + OVERHEAD;

/**
 * Public responses of pages and of the data service, until something that they show changes. A change empties the cache, and a
 * response that was being made meanwhile is not stored: after a write was answered, no reader gets an older response.
 * While changes cannot be noticed, nothing is stored or found.
 */
export class AnswerCache {
  readonly #entries: BoundedMap<Entry>;
  readonly #publishableKey: string;
  readonly #lifetimeMs: number;
  #generation = 0;
  #paused = false;

  /**
   * @param lifetimeMs Infinity for our own backend, which notifies of changes; 30,000 for a hosted one, which does not
   * @param mostBytes all entries together
   */
  constructor(publishableKey: string, lifetimeMs: number, mostBytes = MOST_BYTES) {
    this.#publishableKey = publishableKey;
    this.#lifetimeMs = lifetimeMs;
    this.#entries = new BoundedMap(mostBytes, MOST_ENTRIES);
  }

  /** Increases with each change of what is shown; null while changes cannot be noticed. */
  get generation(): number | null {
    return this.#paused ? null : this.#generation;
  }

  /** Removes everything, because something that a public response shows may have changed. Ends a pause. */
  clear(): void {
    this.#paused = false;
    this.#generation++;
    this.#entries.clear();
  }

  /** Removes everything and stores nothing until it is cleared: changes cannot be noticed. */
  pause(): void {
    this.clear();
    this.#paused = true;
  }

  /**
   * The key of a request that may be answered from here; null for anything that is not a public read.
   * @param readsDraftCookie whether the page at a path depends on that cookie
   */
  keyOf(request: IncomingMessage, readsDraftCookie: (path: string) => boolean): string | null {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { headers } = request;
    const url = request.url ?? '/';
    const isData = url.startsWith('/rest/v1/');
    for (const name of PRIVATE) {
      if (headers[name] === undefined) continue;
      // The client repeats the publishable key as bearer without a session.
      if (name === 'authorization' && isData && headers.authorization === `Bearer ${this.#publishableKey}`) continue;
      // A procedure may read any cookie. A page is rendered without cookies, unless its route reads the one of draft links.
      if (name === 'cookie' && !isData && !(DRAFT_COOKIE.test(headers.cookie!) && readsDraftCookie(pathOf(url))))
        continue;
      return null;
    }
    if (isData && headers['apikey'] !== this.#publishableKey) return null;
    // A function may answer differently each time; a HEAD of data has no body to share with its GET.
    if (isData && (request.method === 'HEAD' || url.startsWith('/rest/v1/rpc/'))) return null;
    return isData ? `${url}\n${VARYING.map((name) => headers[name] ?? '').join('\n')}` : url;
  }

  find(key: string): Stored | null {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.stored : null;
  }

  /** An expired response, for when no new one can be made; for a while `find` returns it again. */
  findStale(key: string): Stored | null {
    const entry = this.#entries.get(key);
    const now = Date.now();
    if (!entry || entry.staleUntil <= now) return null;
    entry.until = Math.max(entry.until, now + AWAY_MS);
    return entry.stored;
  }

  /** Stores a response that was begun at `generation`, unless something has changed since. */
  keep(key: string, generation: number | null, stored: Stored): void {
    if (generation === null || generation !== this.generation || stored.plain.length > LARGEST_BODY) return;
    const until = Date.now() + this.#lifetimeMs;
    this.#entries.set(key, { stored, until, staleUntil: until + STALE_MS }, sizeOf(stored));
  }
}

const pathOf = (url: string) => url.split('?', 1)[0]!;

/** The smallest encoding that the client accepts, of those there are; null for none. */
export const bestEncoding = (
  { headers }: IncomingMessage,
  isThere: (encoding: Encoding) => boolean = () => true,
): Encoding | null =>
  ENCODINGS.find((encoding) => isThere(encoding) && TAKES[encoding].test(String(headers['accept-encoding'] ?? ''))) ??
  null;

/** The smallest body that the client accepts, with the headers that describe it. */
export function encodingFor(
  request: IncomingMessage,
  stored: Stored,
): { body: Buffer; headers: Record<string, string> } {
  const vary = stored.headers['vary'] ? `${stored.headers['vary']}, Accept-Encoding` : 'Accept-Encoding';
  const encoding = bestEncoding(request, (one) => stored[one] !== null);
  if (!encoding) return { body: stored.plain, headers: { vary } };
  return { body: stored[encoding]!, headers: { vary, 'content-encoding': encoding } };
}

/** Sends a stored response in the smallest encoding that the client accepts; 304 when the client has it already. */
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

/** How long a CDN may use what it has while this server does not respond, in seconds. */
const CDN_AWAY = 86_400;
/** Further headers that grant access or change the response: the data service names the rest itself. */
const CDN_VARY = 'X-Draft-Secret, X-Setup-Key, X-Supabase-Api-Version';

/** Allows a CDN to store a public response (RFC 9213); browsers still revalidate each time. */
export function tellCdn(headers: Record<string, string>, seconds: number): void {
  headers['cdn-cache-control'] = `max-age=${seconds}, stale-while-revalidate=${seconds}, stale-if-error=${CDN_AWAY}`;
  if (headers['vary']) headers['vary'] += `, ${CDN_VARY}`;
}
