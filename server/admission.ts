import type { IncomingMessage, ServerResponse } from 'node:http';
import { shareOf } from '../backend/http/semaphore.ts';
import type { Config } from '../config.ts';
import { clientNetwork } from './client-address.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { Transfers } from './transfers.ts';

/** No service takes a larger body, but for uploads (threat model §8). */
const LARGEST_BODY = 1024 ** 2;
/** All bodies together that are held here and not yet complete. */
const MOST_HELD = 64 * 1024 ** 2;
const LEAST_HELD = 8 * 1024 ** 2;
const BODY_MS = 30_000;
/** An upload takes so long at most, and past `BODY_MS` only while it brings so many bytes a second. */
export const UPLOAD_MS = 120_000;
const SLOWEST_UPLOAD = 1024;
const LOOK_MS = 1_000;
const RETRY_AFTER_SECONDS = '1';

const UPLOAD = /^\/storage\/v1\/(?:upload\/|object\/(?!(?:list|list-v2|sign|move|copy)(?:[/?]|$)))/;
const TOO_SLOW = 'This request took too long to arrive.';
const TOO_SLOW_ANSWER = `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${TOO_SLOW.length}\r\n\r\n${TOO_SLOW}`;

/** A request whose body was read before it went on. */
type Complete = IncomingMessage & { rawBody?: Buffer };
type Answering<Exchange> = (request: Request, exchange: Exchange) => Promise<Response>;

/**
 * Lets requests in: first their body arrives, then they take a place in flight, then their answer is taken. Who is slow
 * at either end is limited there and holds no place.
 */
export class Admission {
  readonly #trustProxy: number;
  readonly #mostHeld: number;
  readonly #bodies: Transfers;
  readonly #answers: Transfers;
  readonly #inFlight: ConcurrencyLimit;
  #held = 0;
  #closing = false;

  /** @param workers how many processes share the machine */
  constructor({ trustProxy, workers }: Pick<Config, 'trustProxy' | 'workers'>) {
    this.#trustProxy = trustProxy;
    this.#mostHeld = shareOf(MOST_HELD, workers, LEAST_HELD);
    this.#bodies = new Transfers(workers);
    this.#answers = new Transfers(workers);
    this.#inFlight = new ConcurrencyLimit(workers);
    setInterval(() => this.#bodies.endLate(), LOOK_MS).unref();
  }

  /** From now on every answer is the last of its connection. */
  close(): void {
    this.#closing = true;
  }

  /**
   * Calls `next` when the body is here, or as much of it as shows that it is too large; never for one that does not
   * arrive. The bytes of an upload are not waited for: they go to disk as they come.
   */
  admit(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    const { headers } = request;
    const announced = Number(headers['content-length'] ?? 0);
    const hasBody = announced > 0 || headers['transfer-encoding'] !== undefined;
    const upload = isUpload(request);
    if (!hasBody || (announced > LARGEST_BODY && !upload)) {
      next();
      return;
    }
    const { socket } = request;
    const before = socket.bytesRead;
    const leave = this.#bodies.add({
      address: clientNetwork(request, this.#trustProxy),
      moved: () => socket.bytesRead - before,
      isLate: upload ? isLateUpload : (age) => age > BODY_MS,
      end: () => {
        if (!response.headersSent && response.socket) socket.write(TOO_SLOW_ANSWER);
        socket.destroySoon();
      },
    });
    request.once('end', leave);
    request.once('close', leave);
    response.once('close', leave);
    if (upload) next();
    else this.#collect(request, next);
  }

  /** Gives a place to each request that is answered, from when its body is complete to when its answer begins. */
  inPlace<Exchange extends { incoming: unknown; outgoing: unknown }>(answer: Answering<Exchange>): Answering<Exchange> {
    return async (request, exchange) => {
      const incoming = exchange.incoming as IncomingMessage;
      const outgoing = exchange.outgoing as ServerResponse;
      const address = clientNetwork(incoming, this.#trustProxy);
      let leave = () => {};
      const take = () => {
        leave = this.#inFlight.take(address);
      };
      if (isUpload(incoming)) incoming.once('end', take);
      else {
        const place = await this.#inFlight.enter(address);
        if (typeof place === 'number') return busy(place);
        leave = place;
      }
      try {
        return await answer(request, exchange);
      } finally {
        incoming.off('end', take);
        leave();
        if (this.#closing && !outgoing.headersSent) outgoing.setHeader('connection', 'close');
        this.#watch(outgoing, address);
      }
    };
  }

  /** Keeps the body with the request, where the adapter looks for it. */
  #collect(request: Complete, next: () => void): void {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      this.#held += chunk.length;
      if (size > LARGEST_BODY) complete();
      else if (this.#held > this.#mostHeld) this.#bodies.endHeaviest();
    };
    const complete = () => {
      forget();
      request.rawBody = Buffer.concat(chunks);
      next();
    };
    const forget = () => {
      request.off('data', take).off('end', complete).off('close', forget).pause();
      this.#held -= size;
    };
    request.on('data', take).once('end', complete).once('close', forget);
  }

  /** Counts an answer until all of it was handed to the system. */
  #watch(outgoing: ServerResponse, address: string): void {
    const { socket } = outgoing;
    if (!socket || socket.destroyed) return;
    const before = socket.bytesWritten;
    const leave = this.#answers.add({
      address,
      moved: () => socket.bytesWritten - socket.writableLength - before,
      end: () => socket.destroy(),
    });
    outgoing.once('finish', leave);
    outgoing.once('close', leave);
  }
}

/** Whether a body is larger than anything but an upload may be. Of one without a length no more was read than shows it. */
export const isTooLarge = (request: Complete): boolean =>
  (request.rawBody?.length ?? Number(request.headers['content-length'] ?? 0)) > LARGEST_BODY;

const isUpload = ({ method, url }: IncomingMessage): boolean =>
  (method === 'POST' || method === 'PUT' || method === 'PATCH') && UPLOAD.test(url!);

const isLateUpload = (ageMs: number, moved: number): boolean =>
  ageMs > UPLOAD_MS || (ageMs > BODY_MS && moved < (SLOWEST_UPLOAD * ageMs) / 1000);

const busy = (status: 429 | 503): Response =>
  new Response(
    status === 429
      ? 'Too many concurrent requests from this address. Please try again in a moment.'
      : 'The server is busy. Please try again in a moment.',
    {
      status,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': RETRY_AFTER_SECONDS,
      },
    },
  );
