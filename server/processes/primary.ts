import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../packages/backend/config/config.ts';
import { createLog } from '../../packages/backend/http/log.ts';
import { printBanner } from '../banner.ts';
import { checkPort } from '../start-server.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { ALIVE_MS, type FromWorker, type ToWorker } from './worker.ts';

/** Seconds without a message after which a worker is considered hung and is killed. */
const MAX_SILENT_TICKS = 10;
const MIN_RESTART_DELAY_MS = 250;
const MAX_RESTART_DELAY_MS = 30_000;

type WorkerState = { worker: Worker; isReady: boolean; silentTicks: number; isLeaving: boolean };

/** Owns the port, restarts workers that end, kills hung ones, and replaces all one by one on SIGHUP. */
export async function runPrimary(config: Config): Promise<void> {
  await checkPort(config);
  if (config.metrics) {
    const { clusterMetrics, serveMetrics } = await import('../telemetry/metrics.ts');
    await serveMetrics(config.metrics, clusterMetrics());
  }
  const workers = new Workers(config);
  stopOnSignal(config, workers);
  if (!(await workers.start())) process.exit(1);
}

class Workers {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #workers = new Set<WorkerState>();
  #failures = 0;
  #stopping = false;
  #replacing: Promise<void> | null = null;
  #replaceAgain = false;
  #failedExits = 0;

  constructor(config: Config) {
    this.#config = config;
    this.#log = createLog(config.logLevel);
  }

  /** The first worker starts alone, as it may have to create a database. @returns false when it did not start */
  async start(): Promise<boolean> {
    if (!(await this.#fork())) return this.#stopping;
    process.on('SIGHUP', () => this.#replaceAll());
    setInterval(() => this.#checkAlive(), ALIVE_MS).unref();
    for (let number = 1; number < this.#config.workers; number++) this.#startMissing();
    return true;
  }

  drain(): void {
    for (const state of this.#workers) sendTo(state, 'drain');
  }

  /** @returns the exit code: 0 when all ended cleanly */
  async close(): Promise<number> {
    this.#stopping = true;
    const exits = [...this.#workers].map(({ worker }) => once(worker, 'exit'));
    for (const state of this.#workers) {
      state.isLeaving = true;
      if (state.isReady) sendTo(state, 'close');
      else state.worker.process.kill('SIGKILL');
    }
    this.#failedExits = 0;
    await Promise.all(exits);
    return this.#failedExits ? 1 : 0;
  }

  /** @returns whether the worker serves requests; false when it ended before */
  #fork(): Promise<boolean> {
    const worker = cluster.fork({ WORKERS: String(this.#config.workers) });
    const state: WorkerState = { worker, isReady: false, silentTicks: 0, isLeaving: false };
    this.#workers.add(state);
    closeLostConnections(worker);
    return new Promise((resolve) => {
      worker.on('message', (message: FromWorker) => {
        state.silentTicks = 0;
        if (message === 'alive' || !('address' in message)) return;
        state.isReady = true;
        this.#failures = 0;
        if (worker.id === 1 || message.generatedSetupKey) {
          printBanner(this.#config, message);
          sendTo(state, 'announced');
        }
        resolve(true);
      });
      const onExit = (code: number | null, signal: string | null) => {
        this.#workers.delete(state);
        if (state.isLeaving && state.isReady && code !== 0) this.#failedExits++;
        if (state.isReady && !state.isLeaving) {
          this.#log.error({ pid: worker.process.pid, code, signal }, 'worker ended: starting another');
          void this.#startMissingLater();
        }
        resolve(false);
      };
      worker.once('exit', onExit);
      worker.on('error', (err) => {
        this.#log.error({ err }, 'starting or messaging a worker failed');
        // A process that failed to spawn emits no exit.
        if (worker.process.pid === undefined) onExit(null, null);
      });
    });
  }

  #startMissing(): void {
    const running = [...this.#workers].filter(({ isLeaving }) => !isLeaving).length;
    if (this.#stopping || running >= this.#config.workers) return;
    void this.#fork().then((started) => {
      if (started) return;
      this.#failures++;
      void this.#startMissingLater();
    });
  }

  async #startMissingLater(): Promise<void> {
    await sleep(Math.min(MAX_RESTART_DELAY_MS, MIN_RESTART_DELAY_MS * 2 ** this.#failures));
    this.#startMissing();
  }

  /** Counts its own ticks, so that suspend does not make workers look hung. */
  #checkAlive(): void {
    for (const state of this.#workers) {
      if (!state.isReady || ++state.silentTicks <= MAX_SILENT_TICKS) continue;
      this.#log.error({ pid: state.worker.process.pid }, 'worker unresponsive for 10 s: killing it');
      state.worker.process.kill('SIGKILL');
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
    for (const old of [...this.#workers]) {
      if (this.#stopping) return;
      if (!this.#workers.has(old) || old.isLeaving) continue;
      if (!(await this.#fork())) {
        this.#log.error('new worker failed to start: replacement stopped');
        return this.#startMissing();
      }
      old.isLeaving = true;
      // While the new one started, no other was started for one that ended.
      this.#startMissing();
      if (!this.#stopping && this.#workers.has(old)) {
        const exited = once(old.worker, 'exit');
        sendTo(old, 'leave');
        await exited;
      }
    }
    this.#log.info('all workers replaced');
  }
}

/** Node forgets connections being passed to a killed worker, and their clients would wait forever. */
function closeLostConnections({ process: child }: Worker): void {
  const pendingHandles = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (...parts: unknown[]) => boolean;
  child.send = (message: { act?: string; seq?: number }, handle?: unknown, ...rest: unknown[]) => {
    if (message.act === 'newconn') pendingHandles.set(message.seq!, handle as { close(): void });
    return send(message, handle, ...rest);
  };
  child.on('internalMessage', ({ ack }: { ack?: number }) => void pendingHandles.delete(ack!));
  child.once('exit', () => {
    for (const handle of pendingHandles.values()) handle.close();
  });
}

function sendTo({ worker }: WorkerState, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
