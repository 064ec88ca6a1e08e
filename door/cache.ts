import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Stored, store } from './files.ts';

const MOST_ENTRIES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;
const LARGEST_BODY = 4 * 1024 * 1024;
/** What an entry takes besides its bodies: key, headers, and the objects around them. */
const OVERHEAD = 2 * 1024;

/** Request headers that change a public answer, so they are part of its key (threat model TM-41). */
const VARYING = ['accept', 'prefer', 'range', 'accept-profile', 'x-supabase-api-version'] as const;

/** With one of these a request is somebody's own: it is never answered from here and its answer never kept. */
const PRIVATE = ['authorization', 'cookie', 'x-draft-secret', 'x-setup-key'] as const;

interface Entry {
  stored: Stored;
  /** In bytes, with all encodings. */
  size: number;
  /** Milliseconds since 1970. */
  until: number;
  /** Asked for since its last turn. */
  used: boolean;
}

const sizeOf = ({ plain, br, gzip }: Stored) => plain.length + (br?.length ?? 0) + (gzip?.length ?? 0) + OVERHEAD;

/**
 * Public answers of pages and of the data service, kept until something changes. A write empties it at once; an answer
 * that was being made meanwhile is thrown away, so nobody is ever shown what was true before a write they have seen end.
 */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>();
  readonly #publishableKey: string;
  readonly #lifetimeMs: number;
  readonly #mostBytes: number;
  #bytes = 0;
  #generation = 0;

  /**
   * @param lifetimeMs Infinity for our own backend, which tells of changes; 30,000 for a hosted one, which does not.
   * @param mostBytes what all kept answers may take together
   */
  constructor(publishableKey: string, lifetimeMs: number, mostBytes = MOST_BYTES) {
    this.#publishableKey = publishableKey;
    this.#lifetimeMs = lifetimeMs;
    this.#mostBytes = mostBytes;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Forgets everything: something that a public answer shows has changed. */
  clear(): void {
    this.#generation++;
    this.#entries.clear();
    this.#bytes = 0;
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
      return null;
    }
    if (isData && headers['apikey'] !== this.#publishableKey) return null;
    // A function may answer differently each time; a HEAD of data has no bytes to share with its GET.
    if (isData && (request.method === 'HEAD' || url.startsWith('/rest/v1/rpc/'))) return null;
    return isData ? `${url}\n${VARYING.map((name) => headers[name] ?? '').join('\n')}` : url;
  }

  find(key: string): Stored | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    if (entry.until > Date.now()) {
      entry.used = true;
      return entry.stored;
    }
    this.#drop(key, entry);
    return null;
  }

  /** Keeps an answer made since `generation`, unless something changed meanwhile. */
  async keep(
    key: string,
    generation: number,
    status: number,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<Stored | null> {
    if (generation !== this.#generation || body.length > LARGEST_BODY) return null;
    const stored = await store(status, headers, body);
    if (generation !== this.#generation) return null;
    const size = sizeOf(stored);
    if (size > this.#mostBytes) return null;
    const before = this.#entries.get(key);
    if (before) this.#drop(key, before);
    while (this.#entries.size >= MOST_ENTRIES || this.#bytes + size > this.#mostBytes) this.#makeRoom();
    this.#entries.set(key, { stored, size, until: Date.now() + this.#lifetimeMs, used: false });
    this.#bytes += size;
    return stored;
  }

  /** Forgets the oldest entry that nobody asked for since its last turn: nearly the least recently used, at no cost to a hit. */
  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (!entry.used) {
        this.#drop(key, entry);
        return;
      }
      // Once round the map at most: the flag is gone when its turn comes again.
      entry.used = false;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
  }

  #drop(key: string, { size }: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= size;
  }
}

/** The smallest form of stored bytes that the caller takes, with the headers that say so. */
export function encodingFor(
  request: IncomingMessage,
  stored: Stored,
): { body: Buffer; headers: Record<string, string> } {
  const accepts = String(request.headers['accept-encoding'] ?? '');
  const vary = stored.headers['vary'] ? `${stored.headers['vary']}, Accept-Encoding` : 'Accept-Encoding';
  if (stored.br && /\bbr\b/.test(accepts)) return { body: stored.br, headers: { vary, 'content-encoding': 'br' } };
  if (stored.gzip && /\bgzip\b/.test(accepts))
    return { body: stored.gzip, headers: { vary, 'content-encoding': 'gzip' } };
  return { body: stored.plain, headers: { vary } };
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
