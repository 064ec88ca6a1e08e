import type { IncomingMessage, ServerResponse } from 'node:http';
import { shareOf } from '../backend/http/semaphore.ts';
import type { Config } from '../config.ts';
import { clientNetwork } from './client-address.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { Transfers } from './transfers.ts';

/** Bytes; no service accepts a larger body except uploads (threat model §8). */
const LARGEST_BODY = 1024 ** 2;
const MOST_HELD = 64 * 1024 ** 2;
const LEAST_HELD = 8 * 1024 ** 2;
const BODY_MS = 30_000;
/** Maximum duration of an upload; past `BODY_MS` only above a minimum rate. */
export const UPLOAD_MS = 120_000;
const SLOWEST_UPLOAD = 1024;
const LOOK_MS = 1_000;
const RETRY_AFTER_SECONDS = '1';

const UPLOAD = /^\/storage\/v1\/(?:upload\/|object\/(?!(?:list|list-v2|sign|move|copy)(?:[/?]|$)))/;
const TOO_SLOW = 'This request took too long to arrive.';
const TOO_SLOW_ANSWER = `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${TOO_SLOW.length}\r\n\r\n${TOO_SLOW}`;

type Complete = IncomingMessage & { rawBody?: Buffer };
type Answering<Exchange> = (request: Request, exchange: Exchange) => Promise<Response>;

/**
 * Receive the body, take a slot, send the response: slow clients are limited in the first and last, and hold no slot.
 */
export class Admission {
  readonly #trustProxy: number;
  readonly #mostHeld: number;
  readonly #bodies: Transfers;
  readonly #answers: Transfers;
  readonly #inFlight: ConcurrencyLimit;
  #held = 0;
  #closing = false;

  constructor({ trustProxy, workers }: Pick<Config, 'trustProxy' | 'workers'>) {
    this.#trustProxy = trustProxy;
    this.#mostHeld = shareOf(MOST_HELD, workers, LEAST_HELD);
    this.#bodies = new Transfers(workers);
    this.#answers = new Transfers(workers);
    this.#inFlight = new ConcurrencyLimit(workers);
    setInterval(() => this.#bodies.endLate(), LOOK_MS).unref();
  }

  close(): void {
    this.#closing = true;
  }

  /**
   * Calls `next` when the body is complete or known to be too large; never if it does not arrive. Uploads are streamed.
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

  /** A slot is held from the complete body to the start of the response. */
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

/** For a body without a length, no more was read than shows its size. */
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
