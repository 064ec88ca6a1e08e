// Long: a call, its cancellation, its timeout and the engine restart share one state.
import { AsyncResource } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { DatabaseError, DatabaseUnavailable, EngineRestarted, withTimeout } from '../database.ts';
import type { EngineCall, EngineData, EngineMessage, EngineRequest } from './engine-worker.ts';
import { CALL_MARKS, type CancelFlags, type SqlError, type StatementResult } from './wire.ts';

const STACK_MB = 32;
const START_MS = 60_000;
const RESTART_WAIT_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
/** Grace period of a cancelled statement before the engine is restarted; needed in full only on a busy machine. */
const CANCEL_GRACE_MS = 5_000;
const CANCEL_RETRY_MS = 1_000;
/** How long the first transaction of a group commit waits for more while no other writes. */
const GROUP_COMMIT_MS = 10;

interface Call {
  number: number;
  request: EngineCall;
  timeoutMs: number;
  isCancelled: boolean;
  resolve: (results: StatementResult[]) => void;
  reject: (error: Error) => void;
  timer?: NodeJS.Timeout | undefined;
}

type CallOptions = { generation?: number | undefined; maxWaitMs?: number };

export interface PendingCall {
  results: Promise<StatementResult[]>;
  /** Rejects the call with 57014, restarting the engine if needed. */
  cancel(): void;
}

/** A statement that ignores its cancellation, or a fault, ends the thread; a new one opens the folder (about 0.7 s). */
export class PGliteEngine {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #releaseSpace: () => Promise<void>;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #worker: Worker | null = null;
  #flags: CancelFlags | null = null;
  #ready: Promise<void> = Promise.resolve();
  #startFailedAt = 0;
  readonly #calls: Call[] = [];
  #number = 0;
  #pendingFlush: (PromiseWithResolvers<void> & { timer: NodeJS.Timeout }) | null = null;
  #isClosing = false;
  /** Counts restarts. A transaction of an earlier generation is lost. */
  generation = 0;
  workedMs = 0;

  /** @param releaseSpace called before the folder is opened or closed, which needs some disk space */
  constructor(folder: string, log: Logger, releaseSpace: () => Promise<void> = async () => {}) {
    this.#folder = folder;
    this.#log = log;
    this.#releaseSpace = releaseSpace;
  }

  async start(whileOpening?: () => void): Promise<void> {
    this.#ready = this.#open(whileOpening);
    await this.#ready;
  }

  call(request: EngineCall, timeoutMs: number, options?: CallOptions): Promise<StatementResult[]> {
    return this.send(request, timeoutMs, options).results;
  }

  /**
   * One message; a second may be queued while the first runs, so that the engine is never idle.
   * @throws DatabaseError, 57014 after a timeout; DatabaseUnavailable when the engine is down
   */
  send(request: EngineCall, timeoutMs: number, { generation, maxWaitMs }: CallOptions = {}): PendingCall {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>();
    const call: Call = { number: ++this.#number, request, timeoutMs, isCancelled: false, resolve, reject };
    this.#waitUntilReady()
      .then(() => {
        if (generation !== undefined && generation !== this.generation)
          throw new DatabaseUnavailable('The transaction was lost with the database engine');
        if (!this.#worker) throw new DatabaseUnavailable('The database engine is starting');
        this.#worker.postMessage({ ...request, number: call.number } satisfies EngineRequest);
        if (this.#calls.push(call) === 1) this.#startNext();
        else if (maxWaitMs !== undefined) call.timer = setTimeout(() => this.#abandon(call, maxWaitMs), maxWaitMs);
      })
      .catch(reject);
    return { results: promise, cancel: () => this.#cancel(call) };
  }

  #startNext(): void {
    const [call] = this.#calls;
    if (!call) return;
    clearTimeout(call.timer);
    if (call.isCancelled) this.#interrupt(call);
    else call.timer = setTimeout(() => this.#cancel(call), Math.max(1, call.timeoutMs));
  }

  #abandon(call: Call, maxWaitMs: number): void {
    if (this.#flags) {
      Atomics.store(this.#flags.marks, CALL_MARKS.abandoned, call.number);
      if (Atomics.load(this.#flags.marks, CALL_MARKS.started) >= call.number) return;
    } else this.#calls.splice(this.#calls.indexOf(call), 1);
    call.reject(new DatabaseUnavailable(`No database session available within ${maxWaitMs} ms`));
  }

  #cancel(call: Call): void {
    if (call.isCancelled) return;
    call.isCancelled = true;
    if (call === this.#calls[0]) this.#interrupt(call);
  }

  #interrupt(call: Call): void {
    clearTimeout(call.timer);
    const deadline = performance.now() + CANCEL_GRACE_MS;
    const signal = () => {
      const flags = this.#flags;
      if (!flags) return;
      if (performance.now() >= deadline)
        return this.#restart('statement could not be cancelled', new EngineRestarted(TIMED_OUT));
      Atomics.store(flags.marks, CALL_MARKS.cancelled, call.number);
      Atomics.store(flags.memory, flags.cancel, 1);
      Atomics.store(flags.memory, flags.interrupt, 1);
      // A cancellation between two statements of a batch may be lost, so repeat it.
      call.timer = setTimeout(signal, CANCEL_RETRY_MS);
    };
    signal();
  }

  /** Resolves when all results so far are on disk. @throws DatabaseError (XX000) when that is unknown */
  async flushed(): Promise<void> {
    await this.#pendingFlush?.promise;
  }

  listen(channel: string, onNotify: (payload: string) => void): void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    // Run listeners in the subscriber's async context, not in that of whichever call delivers.
    this.#listeners.set(channel, listeners.add(AsyncResource.bind(onNotify)));
  }

  async stop(): Promise<void> {
    this.#isClosing = true;
    await this.#ready.catch(() => {});
    await this.#releaseSpace();
    const worker = this.#worker;
    if (!worker) return;
    const closed = new Promise<void>((resolve) => {
      worker.on('message', ({ kind }: EngineMessage) => (kind === 'closed' || kind === 'fault') && resolve());
      worker.once('exit', () => resolve());
    });
    worker.postMessage({ kind: 'close' } satisfies EngineRequest);
    await closed;
    await worker.terminate();
  }

  async #waitUntilReady(): Promise<void> {
    if (this.#startFailedAt && performance.now() - this.#startFailedAt > RETRY_AFTER_MS) this.#reopen();
    await withTimeout(this.#ready, RESTART_WAIT_MS, () => new DatabaseUnavailable('The database engine is starting'));
  }

  async #open(whileOpening?: () => void): Promise<void> {
    await this.#releaseSpace();
    const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), {
      workerData: { folder: this.#folder, channels: [...this.#listeners.keys()] } satisfies EngineData,
      resourceLimits: { stackSizeMb: STACK_MB },
      execArgv: [],
    });
    worker.on('message', (message: EngineMessage) => this.#onMessage(message));
    try {
      const ready = waitForStart(worker);
      whileOpening?.();
      this.#flags = await ready;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    this.#worker = worker;
    worker.on('error', (error) => this.#onWorkerLost(worker, (error as Error).message));
    worker.on('exit', () => this.#onWorkerLost(worker, 'the engine’s thread ended'));
  }

  #onMessage(message: EngineMessage): void {
    if ('workedMs' in message) {
      this.workedMs += message.workedMs;
      if (message.isFlushPending) this.#deferFlush();
      else this.#settleFlush();
    }
    if (message.kind === 'flushed') this.#settleFlush();
    else if (message.kind === 'results') this.#shiftCall()?.resolve(message.results);
    else if (message.kind === 'error') this.#rejectCall(message.error);
    else if (message.kind === 'notification') this.#notify(message.channel, message.payload);
    else if (message.kind === 'log') {
      const level = /(PANIC|FATAL): /.test(message.text) ? 'error' : 'debug';
      this.#log[level]({ engine: message.text }, 'database engine');
    } else if (message.kind === 'fault') {
      // An engine that fails while closing is recovered at the next start.
      if (this.#isClosing) this.#log.error({ reason: message.message }, 'database engine failed while closing');
      else this.#restart(message.message, message.isStackOverflow ? stackOverflow() : engineFailed());
    }
  }

  #deferFlush(): void {
    if (this.#pendingFlush) return;
    const requestFlush = () => this.#worker?.postMessage({ kind: 'flush' } satisfies EngineRequest);
    this.#pendingFlush = { ...Promise.withResolvers<void>(), timer: setTimeout(requestFlush, GROUP_COMMIT_MS) };
    this.#pendingFlush.promise.catch(() => {});
  }

  /** @param error the engine is gone, and it is unknown whether its log reached the disk */
  #settleFlush(error?: Error): void {
    if (!this.#pendingFlush) return;
    const { timer, resolve, reject } = this.#pendingFlush;
    this.#pendingFlush = null;
    clearTimeout(timer);
    if (error) reject(error);
    else resolve();
  }

  #rejectCall(error: SqlError): void {
    const call = this.#shiftCall();
    const isCancelled = call?.isCancelled && error.code === TIMED_OUT.code;
    call?.reject(new DatabaseError(isCancelled ? TIMED_OUT : error));
  }

  #notify(channel: string, payload: string): void {
    for (const onNotify of this.#listeners.get(channel) ?? []) onNotify(payload);
  }

  #shiftCall(): Call | undefined {
    const call = this.#calls.shift();
    clearTimeout(call?.timer);
    this.#startNext();
    return call;
  }

  #onWorkerLost(worker: Worker, reason: string): void {
    if (worker !== this.#worker || this.#isClosing) return;
    this.#restart(reason, new DatabaseUnavailable('The database engine stopped and is being restarted'));
  }

  #restart(reason: string, error: Error): void {
    this.#log.error({ reason }, 'database engine failed: restarting it');
    const call = this.#calls.shift();
    clearTimeout(call?.timer);
    this.#reopen();
    call?.reject(error);
  }

  #reopen(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#flags = null;
    this.#startFailedAt = 0;
    this.generation++;
    this.#settleFlush(engineFailed());
    this.#ready = (async () => {
      // Two engines in one folder would destroy it, so end the old one first.
      await worker?.removeAllListeners('message').terminate();
      await this.#open();
      // None of these has started: a failed engine accepts nothing.
      for (const { request, number } of this.#calls) this.#worker!.postMessage({ ...request, number });
      this.#startNext();
      for (const channel of this.#listeners.keys()) this.#notify(channel, '');
    })().catch((error) => {
      for (const call of this.#calls.splice(0))
        call.reject(new DatabaseUnavailable('The database engine does not start'));
      this.#startFailedAt = performance.now();
      this.#log.error({ error: error.message }, 'database engine does not start');
      throw new DatabaseUnavailable('The database engine does not start');
    });
    this.#ready.catch(() => {});
  }
}

const TIMED_OUT = { code: '57014', message: 'canceling statement due to statement timeout' };
const stackOverflow = () => new DatabaseError({ code: '54001', message: 'stack depth limit exceeded' });
const engineFailed = () =>
  new DatabaseError({ code: 'XX000', message: 'the database engine failed and is being restarted' });

function waitForStart(worker: Worker): Promise<CancelFlags> {
  return new Promise<CancelFlags>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The database engine did not start in time')), START_MS);
    worker.on('message', function ready(message: EngineMessage) {
      if (message.kind !== 'ready') return;
      clearTimeout(timer);
      worker.off('message', ready);
      worker.removeAllListeners('error').removeAllListeners('exit');
      resolve(message.flags);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The database engine ended while it was starting')));
  });
}
