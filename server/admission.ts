import type { IncomingMessage, ServerResponse } from 'node:http';
import type { getRequestListener, HttpBindings } from '@hono/node-server';
import type { Config } from '../packages/backend/config/config.ts';
import { clientNetwork } from '../packages/backend/http/client-address.ts';
import { shareOf } from '../packages/backend/http/semaphore.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { plainText } from './plain-text.ts';
import { Transfers } from './transfers.ts';

/** Bytes; no service accepts a larger body except uploads (threat model §8). */
const MAX_BODY_BYTES = 1024 ** 2;
const BODY_TIMEOUT_MS = 30_000;
/** Maximum duration of an upload; past `BODY_TIMEOUT_MS` only above a minimum rate. */
export const UPLOAD_MS = 120_000;
const MIN_UPLOAD_BYTES_PER_SECOND = 1024;

const UPLOAD = /^\/storage\/v1\/(?:upload\/|object\/(?!(?:list|list-v2|sign|move|copy)(?:[/?]|$)))/;
const TOO_SLOW = 'This request took too long to arrive.';
const TOO_SLOW_RESPONSE = `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${TOO_SLOW.length}\r\n\r\n${TOO_SLOW}`;

type BufferedRequest = IncomingMessage & { rawBody?: Buffer };
type Responder = (request: Request, exchange: HttpBindings) => Promise<Response>;

/** Receive the body, take a slot, send the response: slow clients are limited before and after, and hold no slot. */
export class Admission {
  readonly #trustProxy: number;
  readonly #maxBuffered: number;
  readonly #bodies: Transfers;
  readonly #responses: Transfers;
  readonly #inFlight: ConcurrencyLimit;
  #buffered = 0;
  #closing = false;

  constructor({ trustProxy, workers }: Pick<Config, 'trustProxy' | 'workers'>) {
    this.#trustProxy = trustProxy;
    this.#maxBuffered = shareOf(64 * 1024 ** 2, workers, 8 * 1024 ** 2);
    this.#bodies = new Transfers(workers);
    this.#responses = new Transfers(workers);
    this.#inFlight = new ConcurrencyLimit(workers);
    setInterval(() => this.#bodies.endLate(), 1_000).unref();
  }

  close(): void {
    this.#closing = true;
  }

  /** Calls `next` when the body is complete or known to be too large, for an upload immediately. */
  admit(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    const isUploading = isUpload(request);
    if (!hasBody(request) || (lengthOf(request) > MAX_BODY_BYTES && !isUploading)) {
      next();
      return;
    }
    const { socket } = request;
    const startBytes = socket.bytesRead;
    const release = this.#bodies.add({
      address: clientNetwork(request, this.#trustProxy),
      moved: () => socket.bytesRead - startBytes,
      isLate: isUploading ? isLateUpload : (age) => age > BODY_TIMEOUT_MS,
      end: () => {
        if (!response.headersSent && response.socket) socket.write(TOO_SLOW_RESPONSE);
        socket.destroySoon();
      },
    });
    request.once('end', release).once('close', release);
    response.once('close', release);
    if (isUploading) next();
    else this.#collect(request, next);
  }

  withSlot(respond: Responder): Parameters<typeof getRequestListener>[0] {
    return async (request, exchange) => {
      const { incoming, outgoing } = exchange as HttpBindings;
      const address = clientNetwork(incoming, this.#trustProxy);
      let release = () => {};
      const acquire = () => (release = this.#inFlight.take(address));
      if (isUpload(incoming) && hasBody(incoming)) incoming.once('end', acquire);
      else {
        const slot = await this.#inFlight.acquire(address);
        // The client signs out after a refresh that is answered with 429.
        if (typeof slot === 'number') return busyResponse(incoming.url!.startsWith('/auth/v1/token') ? 503 : slot);
        release = slot;
      }
      try {
        return await respond(request, { incoming, outgoing });
      } finally {
        incoming.off('end', acquire);
        release();
        if (this.#closing && !outgoing.headersSent) outgoing.setHeader('connection', 'close');
        this.#watch(outgoing, address);
      }
    };
  }

  #collect(request: BufferedRequest, next: () => void): void {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      this.#buffered += chunk.length;
      if (size > MAX_BODY_BYTES) complete();
      else if (this.#buffered > this.#maxBuffered) this.#bodies.endHeaviest();
    };
    const complete = () => {
      stopReading();
      request.rawBody = Buffer.concat(chunks);
      next();
    };
    const stopReading = () => {
      request.off('data', onData).off('end', complete).off('close', stopReading).pause();
      this.#buffered -= size;
    };
    request.on('data', onData).once('end', complete).once('close', stopReading);
  }

  #watch(outgoing: ServerResponse, address: string): void {
    const { socket } = outgoing;
    if (!socket || socket.destroyed) return;
    const startBytes = socket.bytesWritten;
    const moved = () => socket.bytesWritten - socket.writableLength - startBytes;
    const release = this.#responses.add({ address, moved, end: () => socket.destroy() });
    outgoing.once('finish', release).once('close', release);
  }
}

/** A body without a length was read only up to the limit. */
export const isTooLarge = (request: BufferedRequest) => (request.rawBody?.length ?? lengthOf(request)) > MAX_BODY_BYTES;

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

const hasBody = (request: IncomingMessage): boolean =>
  lengthOf(request) > 0 || request.headers['transfer-encoding'] !== undefined;

const isUpload = ({ method, url }: IncomingMessage): boolean =>
  (method === 'POST' || method === 'PUT' || method === 'PATCH') &&
  UPLOAD.test(decodeURIComponent(url!.split('?', 1)[0]!));

const isLateUpload = (ageMs: number, moved: number): boolean =>
  ageMs > UPLOAD_MS || (ageMs > BODY_TIMEOUT_MS && moved < (MIN_UPLOAD_BYTES_PER_SECOND * ageMs) / 1000);

const BUSY = {
  429: 'Too many concurrent requests from this address. Please try again in a moment.',
  503: 'The server is busy. Please try again in a moment.',
};

const busyResponse = (status: 429 | 503): Response => plainText(status, BUSY[status], { 'retry-after': '1' });
