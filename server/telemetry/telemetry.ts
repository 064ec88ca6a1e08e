import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../packages/backend/config/config.ts';
import { type CurrentRequest, currentRequest, requestFields } from '../../packages/backend/http/current-request.ts';
import { createLog } from '../../packages/backend/http/log.ts';
import type { Backend } from '../../packages/backend/index.ts';
import type { PictureCache } from '../cache/picture-cache.ts';

const OUTGOING = ['undici:request:create', 'http.client.request.created'];
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Never holds a URL, a query, a user id or a token. */
export interface FinishedRequest {
  request: TracedRequest;
  method: string;
  /** Route pattern, such as `/case-studies/:id/:slug?`. */
  route: string;
  status: number | null;
  isComplete: boolean;
  bytes: number;
  ms: number;
}

/** `cached`: from a cache, or shared with another request. */
export type TracedRequest = CurrentRequest & { cached: boolean };

export type RouteOf = (method: string, url: string) => string;

export type Telemetry = NonNullable<Awaited<ReturnType<typeof startTelemetry>>>;

/** Null, and nothing loaded, unless REQUEST_LOG or METRICS is set. @throws Error when it cannot listen on METRICS */
export async function startTelemetry(config: Config, backend: Backend | null, pictures: PictureCache | null = null) {
  const listeners: ((finished: FinishedRequest) => void)[] = [];
  if (config.requestLog) {
    listeners.push(requestLog());
    for (const name of OUTGOING) channel(name).subscribe(propagate);
  }
  let close = async () => {};
  if (config.metrics) {
    const { measureProcess } = await import('./metrics.ts');
    const metrics = await measureProcess(config.metrics, backend, pictures);
    listeners.push(metrics.count);
    close = metrics.close;
  }
  if (listeners.length === 0) return null;
  return {
    watch(request: IncomingMessage, response: ServerResponse, routeOf: RouteOf): TracedRequest {
      const startedAt = performance.now();
      const { socket, method = 'GET', url = '/' } = request;
      const startBytes = socket.bytesWritten;
      const header = request.headers['traceparent'];
      const traceparent = typeof header === 'string' && TRACEPARENT.test(header) ? header : null;
      const traced: TracedRequest = { id: randomUUID(), traceparent, role: null, cached: false };
      response.once('close', () => {
        const finished: FinishedRequest = {
          request: traced,
          method,
          route: routeOf(method, url),
          status: response.headersSent ? response.statusCode : null,
          isComplete: response.writableFinished,
          bytes: socket.bytesWritten - startBytes,
          ms: performance.now() - startedAt,
        };
        for (const listener of listeners) listener(finished);
      });
      return traced;
    },
    async close() {
      for (const name of OUTGOING) channel(name).unsubscribe(propagate);
      await close();
    },
  };
}

type Outgoing = { addHeader(name: string, value: string): void } | { setHeader(name: string, value: string): void };

/** Propagates `traceparent` to every outgoing request of this process, by `fetch` or `node:http`. */
function propagate(message: unknown): void {
  const traceparent = currentRequest.getStore()?.traceparent;
  if (!traceparent) return;
  const { request } = message as { request: Outgoing };
  if ('addHeader' in request) request.addHeader('traceparent', traceparent);
  else request.setHeader('traceparent', traceparent);
}

/** One line per request, independent of LOG_LEVEL. */
function requestLog(): (finished: FinishedRequest) => void {
  const log = createLog('info');
  return ({ request, method, route, status, isComplete, bytes, ms }) => {
    const { cached, role } = request;
    const cut = isComplete ? {} : { cut: true };
    const rounded = Math.round(ms * 10) / 10;
    log.info({ ...requestFields(request), method, route, status, ...cut, bytes, ms: rounded, cached, role }, 'request');
  };
}
