import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { acceptedFormat, parsePublicImageUrl } from '../../packages/backend/storage/images/image-format.ts';
import { isFresh } from '../../packages/backend/storage/objects/serve.ts';

const MAX_BODY_BYTES = 1024 ** 2;
const OVERHEAD_BYTES = 2 * 1024;

/** A request with one of these headers bypasses the cache (TM-41). The storage service ignores cookies (TM-39). */
const CREDENTIALS = ['authorization', 'x-draft-secret', 'x-setup-key'] as const;
/** A request with one of these headers may get less than the whole file. */
const PARTIAL = ['range', 'if-none-match', 'if-modified-since'] as const;

type Picture = { file: string; headers: OutgoingHttpHeaders; etag: string; lastModified: Date | null; body: Buffer };

export interface PictureKey {
  file: string;
  /** URL, and the format negotiated by `Accept` where the URL leaves it open. */
  key: string;
}

/** An entry is evicted when a notification names its file; without notifications nothing is stored. */
export class PictureCache {
  readonly #pictures: LRUCache<string, Picture>;
  readonly #keysOf = new Map<string, Set<string>>();
  #generation = 0;
  #paused = false;
  readonly #counts = { hits: 0, misses: 0, evictions: 0 };

  constructor(maxBytes: number) {
    this.#pictures = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ body }) => body.length + OVERHEAD_BYTES,
      dispose: ({ file }, key, reason) => {
        if (reason === 'evict') this.#counts.evictions++;
        const keys = this.#keysOf.get(file)!;
        keys.delete(key);
        if (keys.size === 0) this.#keysOf.delete(file);
      },
    });
  }

  get counts() {
    return { ...this.#counts, bytes: this.#pictures.calculatedSize };
  }

  /** Changes with every file: a response that was begun before is not stored. */
  get generation(): number {
    return this.#generation;
  }

  keyOf({ method, url, headers }: IncomingMessage): PictureKey | null {
    if (method !== 'GET' && method !== 'HEAD') return null;
    const picture = parsePublicImageUrl(url!);
    if (!picture || headers.range || CREDENTIALS.some((name) => headers[name] !== undefined)) return null;
    const { file, isNegotiated } = picture;
    return { file, key: isNegotiated ? `${url} ${acceptedFormat(headers.accept ?? '')}` : url! };
  }

  send({ key }: PictureKey, request: IncomingMessage, response: ServerResponse): boolean {
    const picture = this.#pictures.get(key);
    if (!picture) {
      this.#counts.misses++;
      return false;
    }
    this.#counts.hits++;
    const { headers, body } = picture;
    if (isFresh((name) => request.headers[name], picture)) {
      const { 'content-type': _type, 'content-length': _length, ...rest } = headers;
      response.writeHead(304, rest).end();
    } else response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
    return true;
  }

  /** Stores a complete image if nothing has changed since `generation`. @returns the response to send */
  async store({ file, key }: PictureKey, generation: number, message: IncomingMessage, response: Response) {
    if (!isWhole(message, response)) return response;
    const body = Buffer.from(await response.arrayBuffer());
    if (!this.#paused && generation === this.#generation) {
      const headers = Object.fromEntries(response.headers);
      const lastModified = headers['last-modified'] ? new Date(headers['last-modified']) : null;
      this.#pictures.set(key, { file, headers, etag: headers['etag']!, lastModified, body });
      if (this.#pictures.has(key)) this.#keysOf.set(file, (this.#keysOf.get(file) ?? new Set()).add(key));
    }
    return new Response(body, response);
  }

  /** @param file `bucket/name`; empty for all files, and after `pause` */
  evict(file: string): void {
    this.#generation++;
    if (file) for (const key of this.#keysOf.get(file) ?? []) this.#pictures.delete(key);
    else {
      this.#pictures.clear();
      this.#paused = false;
    }
  }

  pause(): void {
    this.evict('');
    this.#paused = true;
  }
}

const isWhole = ({ method, headers }: IncomingMessage, { status, headers: answered }: Response): boolean =>
  method === 'GET' &&
  status === 200 &&
  PARTIAL.every((name) => headers[name] === undefined) &&
  answered.get('content-type')?.startsWith('image/') === true &&
  Number(answered.get('content-length') ?? Number.POSITIVE_INFINITY) <= MAX_BODY_BYTES;
