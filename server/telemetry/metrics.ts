import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../../packages/backend/config/config.ts';
import type { Backend, Measures } from '../../packages/backend/index.ts';
import { type StoreCall, storeCalls } from '../../packages/backend/storage/store.ts';
import type { PictureCache } from '../cache/picture-cache.ts';
import type { FinishedRequest } from './telemetry.ts';

/** Timeout for database figures; Prometheus waits ten seconds. */
const TIMEOUT_MS = 2_000;
const REFUSALS: Record<number, string> = { 429: 'too many requests', 503: 'busy', 507: 'no room' };

type Address = NonNullable<Config['metrics']>;

/** A worker responds to its primary (`clusterMetrics`). The label `worker` prevents apparent resets of a summed counter. */
export async function measureProcess(at: Address, backend: Backend | null, pictures: PictureCache | null) {
  const own = new Registry();
  const shared = new Registry();
  if (cluster.isWorker) own.setDefaultLabels({ worker: String(cluster.worker!.id) });
  collectDefaultMetrics({ register: own });
  const count = countRequests(own);
  const countCall = countStoreCalls(own);
  storeCalls.subscribe(countCall);
  if (backend) measureBackend(own, shared, () => backend.measures());
  if (pictures) measurePictures(own, pictures);
  AggregatorRegistry.setRegistries([own, shared]);
  // The constructor starts to respond to the primary.
  if (cluster.isWorker) new AggregatorRegistry();
  const stop = cluster.isWorker ? null : await serveMetrics(at, () => Registry.merge([own, shared]).metrics());
  return {
    count,
    async close() {
      storeCalls.unsubscribe(countCall);
      await stop?.();
    },
  };
}

export function clusterMetrics(): () => Promise<string> {
  const registry = new AggregatorRegistry();
  return () => registry.clusterMetrics();
}

/** @returns stops listening @throws Error with one line for the operator when the address is in use */
export async function serveMetrics({ host, port }: Address, text: () => Promise<string>): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    const isMetricsRequest =
      request.url?.split('?', 1)[0] === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    if (!isMetricsRequest) return void response.writeHead(404).end();
    try {
      const figures = await text();
      response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(figures);
    } catch {
      // A hung worker does not respond to its primary.
      response.writeHead(503, { 'retry-after': '10' }).end();
    }
  });
  server.listen(port, host);
  await once(server, 'listening').catch(({ message }: Error) => {
    throw new Error(`Cannot listen on METRICS: ${message}. Set it to an address of this machine and a free port.`);
  });
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
}

const metersIn = (register: Registry) => ({
  counter: (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [register] }),
  seconds: (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10], registers: [register] }),
});

function countRequests(register: Registry): (finished: FinishedRequest) => void {
  const { counter, seconds } = metersIn(register);
  const help = 'Finished requests; status "none" ended before a response';
  const requests = counter('madhouse_requests_total', help, ['route', 'method', 'status', 'cached']);
  const period = 'From the request’s headers to the end of its response';
  const durations = seconds('madhouse_request_seconds', period, ['route', 'cached']);
  const bytes = counter('madhouse_sent_bytes_total', 'Response bytes including headers', ['route']);
  const refused = counter('madhouse_refused_total', 'Requests refused by a limit', ['route', 'reason']);
  return ({ request, route, method: anyMethod, status: code, ms, bytes: sent }) => {
    const cached = request.cached ? 'yes' : 'no';
    const method = METHODS.has(anyMethod) ? anyMethod : 'other';
    const status = code === null ? 'none' : `${Math.floor(code / 100)}xx`;
    requests.inc({ route, method, status, cached });
    durations.observe({ route, cached }, ms / 1000);
    bytes.inc({ route }, sent);
    const reason = REFUSALS[code ?? 0];
    if (reason) refused.inc({ route, reason });
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function countStoreCalls(register: Registry): (message: unknown) => void {
  const { counter, seconds } = metersIn(register);
  const calls = counter('madhouse_store_calls_total', 'Calls to the object store', ['operation', 'result']);
  const durations = seconds('madhouse_store_call_seconds', 'Duration of calls to the object store', ['operation']);
  return (message) => {
    const { operation, result, ms } = message as StoreCall;
    calls.inc({ operation, result });
    durations.observe({ operation }, ms / 1000);
  };
}

function measurePictures(register: Registry, pictures: PictureCache): void {
  for (const [counter, help] of [
    ['hits', 'Public pictures that were sent from memory'],
    ['misses', 'Public pictures that were not in memory'],
    ['evictions', 'Pictures that were removed from memory to make room for others'],
  ] as const)
    new Counter({
      name: `madhouse_picture_cache_${counter}_total`,
      help,
      registers: [register],
      collect() {
        this.reset();
        this.inc(pictures.counts[counter]);
      },
    });
  new Gauge({
    name: 'madhouse_picture_cache_bytes',
    help: 'Memory that cached public pictures take',
    registers: [register],
    collect() {
      this.set(pictures.counts.bytes);
    },
  });
}

function measureBackend(own: Registry, shared: Registry, readMeasures: () => Promise<Measures>): void {
  let pending: Promise<Measures | null> | null = null;
  const readInTime = () => Promise.race([readMeasures().catch(() => null), sleep(TIMEOUT_MS, null, { ref: false })]);
  const measures = () => (pending ??= readInTime().finally(() => (pending = null)));
  const gauge = (register: Registry, name: string, help: string, read: (measures: Measures) => number | null) =>
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers: [register],
      async collect() {
        const current = await measures();
        this.set((current && read(current)) ?? Number.NaN);
      },
    });
  gauge(own, 'madhouse_database_sessions_in_use', 'Sessions in use', ({ sessions }) => sessions.inUse);
  const waiting = ({ sessions }: Measures) => sessions.waiting;
  gauge(own, 'madhouse_database_sessions_waiting', 'Requests waiting for a session', waiting);
  const age = 'Time since the LISTEN connection last responded; NaN where none is needed';
  gauge(own, 'madhouse_listener_age_seconds', age, ({ listenerAgeMs }) => listenerAgeMs && listenerAgeMs / 1000);
  gauge(shared, 'madhouse_mails_waiting', 'Emails not yet accepted by the mail server', ({ mails }) => mails.mails);
  gauge(shared, 'madhouse_mail_oldest_seconds', 'Age of the oldest waiting email; 0 if none', ({ mails }) =>
    mails.since ? Math.max(0, (Date.now() - mails.since.getTime()) / 1000) : 0,
  );
}
