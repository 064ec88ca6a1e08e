import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Encoding, Stored } from '../files.ts';
import { BoundedMap } from './bounded-map.ts';

const MOST_ENTRIES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;
const LARGEST_BODY = 4 * 1024 * 1024;
/** What an entry takes besides its bodies: key, headers, and the objects around them. */
const OVERHEAD = 2 * 1024;
/** How long after its end an answer still stands in while a hosted backend is away, and how long until that is asked again. */
const STALE_MS = 24 * 60 * 60 * 1000;
const AWAY_MS = 10_000;

/** Request headers that change a public answer, so they are part of its key (threat model TM-41). */
const VARYING = ['accept', 'prefer', 'range', 'accept-profile', 'x-supabase-api-version'] as const;

/** With one of these a request is somebody's own: it is never answered from here and its answer never kept. */
const PRIVATE = ['authorization', 'cookie', 'x-draft-secret', 'x-setup-key'] as const;

/** The one cookie that a page reads (`draft-cookie.ts`), by both of its names. Others are a proxy's, or another program's of the host. */
const OF_PAGES = /(?:^|[;\s])(?:__Host-)?drafts=/;

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];
const TAKES: Record<Encoding, RegExp> = { br: /\bbr\b/, gzip: /\bgzip\b/ };

interface Entry {
  stored: Stored;
  /** Milliseconds since 1970. */
  until: number;
  /** How long it may stand in for a new one. */
  staleUntil: number;
}

/** In bytes, with all encodings. */
const sizeOf = ({ plain, br, gzip }: Stored) => plain.length + (br?.length ?? 0) + (gzip?.length ?? 0) + OVERHEAD;

/**
 * Public answers of pages and of the data service, kept until something that they show changes. That empties it at once;
 * an answer that was being made meanwhile is thrown away, so nobody is ever shown what was true before a write they have
 * seen end. While nothing would be heard of a change, nothing is kept and nothing answered from here.
 */
export class AnswerCache {
  readonly #entries: BoundedMap<Entry>;
  readonly #publishableKey: string;
  readonly #lifetimeMs: number;
  #generation = 0;
  #paused = false;

  /**
   * @param lifetimeMs Infinity for our own backend, which tells of changes; 30,000 for a hosted one, which does not.
   * @param mostBytes what all kept answers may take together
   */
  constructor(publishableKey: string, lifetimeMs: number, mostBytes = MOST_BYTES) {
    this.#publishableKey = publishableKey;
    this.#lifetimeMs = lifetimeMs;
    this.#entries = new BoundedMap(mostBytes, MOST_ENTRIES);
  }

  /** Changes with everything that is shown; null while nothing would be heard of a change. */
  get generation(): number | null {
    return this.#paused ? null : this.#generation;
  }

  /** Forgets everything, because something that a public answer shows has changed, or may have; keeps from now on. */
  clear(): void {
    this.#paused = false;
    this.#generation++;
    this.#entries.clear();
  }

  /** Forgets everything and keeps nothing until it is cleared: changes are not heard of. */
  pause(): void {
    this.clear();
    this.#paused = true;
  }

  /** The key of a request that may be answered from here; null for anything that is not a public read. */
  keyOf(request: IncomingMessage): string | null {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { headers } = request;
    const url = request.url ?? '/';
    const isData = url.startsWith('/rest/v1/');
    for (const name of PRIVATE) {
      if (headers[name] === undefined) continue;
      // The client repeats the publishable key as bearer while nobody is signed in.
      if (name === 'authorization' && isData && headers.authorization === `Bearer ${this.#publishableKey}`) continue;
      // A procedure may read any cookie, a page only ours: it is made without the others.
      if (name === 'cookie' && !isData && !OF_PAGES.test(headers.cookie!)) continue;
      return null;
    }
    if (isData && headers['apikey'] !== this.#publishableKey) return null;
    // A function may answer differently each time; a HEAD of data has no bytes to share with its GET.
    if (isData && (request.method === 'HEAD' || url.startsWith('/rest/v1/rpc/'))) return null;
    return isData ? `${url}\n${VARYING.map((name) => headers[name] ?? '').join('\n')}` : url;
  }

  find(key: string): Stored | null {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.stored : null;
  }

  /** An answer whose time is over, for when a new one cannot be had; for a moment it is then found again. */
  findStale(key: string): Stored | null {
    const entry = this.#entries.get(key);
    const now = Date.now();
    if (!entry || entry.staleUntil <= now) return null;
    entry.until = Math.max(entry.until, now + AWAY_MS);
    return entry.stored;
  }

  /** Keeps an answer made since `generation`, unless something changed meanwhile. */
  keep(key: string, generation: number | null, stored: Stored): void {
    if (generation === null || generation !== this.generation || stored.plain.length > LARGEST_BODY) return;
    const until = Date.now() + this.#lifetimeMs;
    this.#entries.set(key, { stored, until, staleUntil: until + STALE_MS }, sizeOf(stored));
  }
}

/** The smallest encoding that a caller takes, of those there are; null for none. */
export const bestEncoding = (
  { headers }: IncomingMessage,
  isThere: (encoding: Encoding) => boolean = () => true,
): Encoding | null =>
  ENCODINGS.find((encoding) => isThere(encoding) && TAKES[encoding].test(String(headers['accept-encoding'] ?? ''))) ??
  null;

/** The smallest form of stored bytes that the caller takes, with the headers that say so. */
export function encodingFor(
  request: IncomingMessage,
  stored: Stored,
): { body: Buffer; headers: Record<string, string> } {
  const vary = stored.headers['vary'] ? `${stored.headers['vary']}, Accept-Encoding` : 'Accept-Encoding';
  const encoding = bestEncoding(request, (one) => stored[one] !== null);
  if (!encoding) return { body: stored.plain, headers: { vary } };
  return { body: stored[encoding]!, headers: { vary, 'content-encoding': encoding } };
}

/** Sends stored bytes in the best encoding the caller takes; 304 when it has them already. */
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

/** So long a cache in front may go on with what it has while we are away, in seconds. */
const CDN_AWAY = 86_400;
/** What else opens something to whoever holds it, or changes the answer: the data service names the rest itself. */
const CDN_VARY = 'X-Draft-Secret, X-Setup-Key, X-Supabase-Api-Version';

/** Lets a cache in front keep what everybody is shown (RFC 9213); browsers go on asking each time. */
export function tellCdn(headers: Record<string, string>, seconds: number): void {
  headers['cdn-cache-control'] = `max-age=${seconds}, stale-while-revalidate=${seconds}, stale-if-error=${CDN_AWAY}`;
  if (headers['vary']) headers['vary'] += `, ${CDN_VARY}`;
}
