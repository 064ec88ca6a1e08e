import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createLog } from '../../backend/http/log.ts';
import type { Config } from '../../config.ts';
import { printBanner, type Started } from '../banner.ts';
import { tryPort } from '../start-server.ts';
import { stopWhenAsked } from './stopping.ts';
import { ALIVE_MS, type FromWorker, type ToWorker } from './worker.ts';

/** Seconds without a message after which a worker is considered hung and is killed. */
const MOST_SILENT = 10;
/** Restart delay, doubling with each try. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const LONG_LIFE_MS = 60_000;

interface Place {
  worker: Worker;
  /** Milliseconds of this process's clock; null until it serves requests. */
  readySince: number | null;
  silent: number;
  leaves: boolean;
}

/** Owns the port, restarts workers that end, kills hung ones, and replaces all one by one on SIGHUP. */
export async function runPrimary(config: Config): Promise<void> {
  await tryPort(config);
  if (config.metrics) {
    const { clusterMetrics, serveMetrics } = await import('../telemetry/metrics.ts');
    await serveMetrics(config.metrics, clusterMetrics());
  }
  const workers = new Workers(config);
  stopWhenAsked(config, workers);
  const started = await workers.start();
  if (!started) process.exit(1);
}

class Workers {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #places = new Set<Place>();
  #failures = 0;
  #stopping = false;
  #replacing: Promise<void> | null = null;
  #replaceAgain = false;
  #badEnds = 0;

  constructor(config: Config) {
    this.#config = config;
    this.#log = createLog(config.logLevel);
  }

  /** The first worker starts alone, as it may have to create a database. @returns false when it did not start */
  async start(): Promise<boolean> {
    const { place, started } = this.#fork();
    const told = await started;
    if (!told) return this.#stopping;
    printBanner(this.#config, told);
    tell(place, 'told');
    process.on('SIGHUP', () => this.#replaceAll());
    setInterval(() => this.#look(), ALIVE_MS).unref();
    for (let number = 1; number < this.#config.workers; number++) this.#fill();
    return true;
  }

  drain(): void {
    for (const place of this.#places) tell(place, 'drain');
  }

  /** @returns the exit code: 0 when all ended cleanly */
  async close(): Promise<number> {
    this.#stopping = true;
    const ended = [...this.#places].map(({ worker }) => once(worker, 'exit'));
    for (const place of this.#places) {
      place.leaves = true;
      if (place.readySince === null) place.worker.process.kill('SIGKILL');
      else tell(place, 'close');
    }
    this.#badEnds = 0;
    await Promise.all(ended);
    return this.#badEnds ? 1 : 0;
  }

  /** @returns `started`: null when the worker ended before it served requests */
  #fork(): { place: Place; started: Promise<Started | null> } {
    const worker = cluster.fork({ WORKERS: String(this.#config.workers) });
    const place: Place = { worker, readySince: null, silent: 0, leaves: false };
    this.#places.add(place);
    closeWhatIsLost(worker);
    const started = new Promise<Started | null>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        place.silent = 0;
        if (message === 'alive' || !('address' in message)) return;
        place.readySince = performance.now();
        resolve(message);
      });
      const ended = (code: number | null, signal: string | null) => {
        this.#places.delete(place);
        if (place.leaves && place.readySince !== null && code !== 0) this.#badEnds++;
        this.#ended(place, code, signal);
        resolve(null);
      };
      worker.once('exit', ended);
      worker.on('error', (err) => {
        this.#log.error({ err }, 'starting or messaging a worker failed');
        // A process that failed to spawn emits no exit.
        if (worker.process.pid === undefined) ended(null, null);
      });
    });
    return { place, started };
  }

  #ended({ worker, readySince, leaves }: Place, code: number | null, signal: string | null): void {
    if (leaves || readySince === null) return;
    if (performance.now() - readySince > LONG_LIFE_MS) this.#failures = 0;
    this.#log.error({ pid: worker.process.pid, code, signal }, 'worker ended: starting another');
    void this.#fillLater();
  }

  #fill(): void {
    const here = [...this.#places].filter(({ leaves }) => !leaves).length;
    if (this.#stopping || here >= this.#config.workers) return;
    void this.#fork().started.then((started) => {
      if (!started) void this.#fillLater();
    });
  }

  async #fillLater(): Promise<void> {
    await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++));
    this.#fill();
  }

  /** Counts its own ticks, so that suspend does not make workers look hung. */
  #look(): void {
    for (const place of this.#places) {
      if (place.readySince === null || ++place.silent <= MOST_SILENT) continue;
      this.#log.error({ pid: place.worker.process.pid }, 'worker unresponsive for 10 s: killing it');
      place.worker.process.kill('SIGKILL');
    }
  }

  #replaceAll(): void {
    this.#replaceAgain = this.#replacing !== null;
    this.#replacing ??= this.#replaceEach().finally(() => {
      this.#replacing = null;
      if (this.#replaceAgain && !this.#stopping) this.#replaceAll();
    });
  }

  /** Each new worker serves requests before the old one leaves. */
  async #replaceEach(): Promise<void> {
    for (const old of [...this.#places]) {
      if (this.#stopping) return;
      if (!this.#places.has(old) || old.leaves) continue;
      const next = this.#fork();
      if (!(await next.started)) {
        this.#log.error('new worker failed to start: replacement stopped');
        return;
      }
      const surplus = this.#places.has(old) ? old : next.place;
      surplus.leaves = true;
      if (!this.#stopping && this.#places.has(surplus)) {
        const gone = once(surplus.worker, 'exit');
        tell(surplus, 'leave');
        await gone;
      }
    }
    this.#log.info('all workers replaced');
  }
}

/** Node forgets connections being passed to a killed worker, and their clients would wait forever. */
function closeWhatIsLost({ process: child }: Worker): void {
  const handedOver = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (...parts: unknown[]) => boolean;
  child.send = (message: { act?: string; seq?: number }, handle?: unknown, ...rest: unknown[]) => {
    if (message.act === 'newconn') handedOver.set(message.seq!, handle as { close(): void });
    return send(message, handle, ...rest);
  };
  child.on('internalMessage', ({ ack }: { ack?: number }) => void handedOver.delete(ack!));
  child.once('exit', () => {
    for (const handle of handedOver.values()) handle.close();
  });
}

/** Ignores a worker that is just ending. */
function tell({ worker }: Place, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
