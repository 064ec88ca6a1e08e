// Long: a call, its cancellation, its timeout and the engine's restart share one state.
import { AsyncResource } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { DatabaseError, DatabaseUnavailable, EngineReplaced } from '../database.ts';
import type { EngineData, EngineMessage, EngineRequest, Work } from './engine-worker.ts';
import { type Answer, type CancelFlags, MARKS, type Refusal } from './wire.ts';

const STACK_MB = 32;
const START_MS = 60_000;
const RESTART_WAIT_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
/** Grace period of a cancelled statement before the engine is restarted; needed in full only on a busy machine. */
const CANCEL_MS = 5_000;
const CANCEL_AGAIN_MS = 1_000;
/** How long the first transaction of a group commit waits for more while no other writes. */
const SHARED_FORCE_MS = 10;

interface Call {
  number: number;
  request: Work;
  timeoutMs: number;
  cancelled: boolean;
  resolve: (answers: Answer[]) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

interface AskOptions {
  generation?: number | undefined;
  patienceMs?: number;
}

export interface Asked {
  answers: Promise<Answer[]>;
  /** Rejects the call with 57014, restarting the engine if needed. */
  cancel(): void;
}

/** A statement that ignores its cancellation, or a fault, ends the thread; a new one opens the folder (about 0.7 s). */
export class PGliteEngine {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #makeWay: () => Promise<void>;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #worker: Worker | null = null;
  #flags: CancelFlags | null = null;
  #ready: Promise<void> = Promise.resolve();
  #failedAt = 0;
  readonly #calls: Call[] = [];
  #number = 0;
  #owed: (PromiseWithResolvers<void> & { timer: NodeJS.Timeout }) | null = null;
  #closing = false;
  /** Counts restarts. A transaction of an earlier generation is lost. */
  generation = 0;
  workedMs = 0;

  /** @param makeWay called before the folder is opened or closed, which needs some disk space */
  constructor(folder: string, log: Logger, makeWay: () => Promise<void> = async () => {}) {
    this.#folder = folder;
    this.#log = log;
    this.#makeWay = makeWay;
  }

  async start(meanwhile?: () => void): Promise<void> {
    this.#ready = this.#open(meanwhile);
    await this.#ready;
  }

  call(request: Work, timeoutMs: number, options?: AskOptions): Promise<Answer[]> {
    return this.ask(request, timeoutMs, options).answers;
  }

  /**
   * One message; a second may be queued while the first runs, so that the engine never waits for us.
   * @throws DatabaseError for a rejection, 57014 past the time; DatabaseUnavailable when the engine is down
   */
  ask(request: Work, timeoutMs: number, { generation, patienceMs }: AskOptions = {}): Asked {
    const { promise, resolve, reject } = Promise.withResolvers<Answer[]>();
    const call: Call = {
      number: ++this.#number,
      request,
      timeoutMs,
      cancelled: false,
      resolve,
      reject,
      timer: undefined,
    };
    this.#awake()
      .then(() => {
        if (generation !== undefined && generation !== this.generation)
          throw new DatabaseUnavailable('The transaction was lost with the database engine');
        if (!this.#worker) throw new DatabaseUnavailable('The database engine is starting');
        this.#worker.postMessage({ ...request, number: call.number } satisfies EngineRequest);
        if (this.#calls.push(call) === 1) this.#begins();
        else if (patienceMs !== undefined) call.timer = setTimeout(() => this.#giveUp(call, patienceMs), patienceMs);
      })
      .catch(reject);
    return { answers: promise, cancel: () => this.#cancel(call) };
  }

  #begins(): void {
    const [call] = this.#calls;
    if (!call) return;
    clearTimeout(call.timer);
    if (call.cancelled) this.#takeBack(call);
    else call.timer = setTimeout(() => this.#cancel(call), Math.max(1, call.timeoutMs));
  }

  #giveUp(call: Call, patienceMs: number): void {
    if (this.#flags) {
      Atomics.store(this.#flags.marks, MARKS.givenUp, call.number);
      if (Atomics.load(this.#flags.marks, MARKS.begun) >= call.number) return;
    } else this.#calls.splice(this.#calls.indexOf(call), 1);
    call.reject(new DatabaseUnavailable(`No database session available within ${patienceMs} ms`));
  }

  #cancel(call: Call): void {
    if (call.cancelled) return;
    call.cancelled = true;
    if (call === this.#calls[0]) this.#takeBack(call);
  }

  #takeBack(call: Call): void {
    clearTimeout(call.timer);
    const until = Date.now() + CANCEL_MS;
    const ask = () => {
      const flags = this.#flags;
      if (!flags) return;
      if (Date.now() >= until) return this.#replace('statement could not be cancelled', new EngineReplaced(TIMED_OUT));
      Atomics.store(flags.marks, MARKS.cancelled, call.number);
      Atomics.store(flags.memory, flags.cancel, 1);
      Atomics.store(flags.memory, flags.interrupt, 1);
      // A cancellation between two statements of a batch may be lost, so repeat it.
      call.timer = setTimeout(ask, CANCEL_AGAIN_MS);
    };
    ask();
  }

  /** Resolves when all results so far are on disk. @throws DatabaseError (XX000) when that is unknown */
  async forced(): Promise<void> {
    await this.#owed?.promise;
  }

  hear(channel: string, heard: (payload: string) => void): void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    // Run listeners in the subscriber's async context, not in that of whichever call delivers.
    this.#listeners.set(channel, listeners.add(AsyncResource.bind(heard)));
  }

  async stop(): Promise<void> {
    this.#closing = true;
    await this.#ready.catch(() => {});
    await this.#makeWay();
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

  async #awake(): Promise<void> {
    if (this.#failedAt && Date.now() - this.#failedAt > RETRY_AFTER_MS) this.#reopen();
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DatabaseUnavailable('The database engine is starting')), RESTART_WAIT_MS);
    });
    await Promise.race([this.#ready, tooLong]).finally(() => clearTimeout(timer));
  }

  async #open(meanwhile?: () => void): Promise<void> {
    await this.#makeWay();
    const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), {
      workerData: { folder: this.#folder, channels: [...this.#listeners.keys()] } satisfies EngineData,
      resourceLimits: { stackSizeMb: STACK_MB },
      execArgv: [],
    });
    worker.on('message', (message: EngineMessage) => this.#read(message));
    try {
      const ready = started(worker);
      meanwhile?.();
      this.#flags = await ready;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    this.#worker = worker;
    worker.on('error', (error) => this.#lost(worker, (error as Error).message));
    worker.on('exit', () => this.#lost(worker, 'the engine’s thread ended'));
  }

  #read(message: EngineMessage): void {
    if ('workedMs' in message) {
      this.workedMs += message.workedMs;
      if (message.owed) this.#owe();
      else this.#pay();
    }
    switch (message.kind) {
      case 'forced':
        this.#pay();
        break;
      case 'answers':
        this.#settle()?.resolve(message.answers);
        break;
      case 'refusal':
        this.#refuse(message.refusal);
        break;
      case 'heard':
        this.#tell(message.channel, message.payload);
        break;
      case 'log':
        this.#log[/(PANIC|FATAL): /.test(message.text) ? 'error' : 'debug'](
          { engine: message.text },
          'database engine',
        );
        break;
      case 'fault':
        // An engine that fails while closing is recovered at the next start.
        if (this.#closing) this.#log.error({ reason: message.message }, 'database engine failed while closing');
        else this.#replace(message.message, message.tooComplex ? tooComplex() : broken());
        break;
    }
  }

  #owe(): void {
    if (this.#owed) return;
    const force = () => this.#worker?.postMessage({ kind: 'force' } satisfies EngineRequest);
    this.#owed = { ...Promise.withResolvers<void>(), timer: setTimeout(force, SHARED_FORCE_MS) };
    this.#owed.promise.catch(() => {});
  }

  /** @param error the engine is gone, and it is unknown whether its log reached the disk */
  #pay(error?: Error): void {
    if (!this.#owed) return;
    const { timer, resolve, reject } = this.#owed;
    this.#owed = null;
    clearTimeout(timer);
    if (error) reject(error);
    else resolve();
  }

  #refuse(refusal: Refusal): void {
    const call = this.#settle();
    const isCancelled = call?.cancelled && refusal.code === TIMED_OUT.code;
    call?.reject(new DatabaseError(isCancelled ? TIMED_OUT : refusal));
  }

  #tell(channel: string, payload: string): void {
    for (const heard of this.#listeners.get(channel) ?? []) heard(payload);
  }

  #settle(): Call | undefined {
    const call = this.#calls.shift();
    clearTimeout(call?.timer);
    this.#begins();
    return call;
  }

  #lost(worker: Worker, reason: string): void {
    if (worker !== this.#worker || this.#closing) return;
    this.#replace(reason, new DatabaseUnavailable('The database engine stopped and is being restarted'));
  }

  #replace(reason: string, error: Error): void {
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
    this.#failedAt = 0;
    this.generation++;
    this.#pay(broken());
    this.#ready = (async () => {
      // Two engines in one folder would destroy it: the old one must be gone before.
      await worker?.terminate();
      await this.#open();
      // Never started: a broken engine accepts nothing.
      for (const { request, number } of this.#calls) this.#worker!.postMessage({ ...request, number });
      this.#begins();
      // Notifications during the restart were missed.
      for (const channel of this.#listeners.keys()) this.#tell(channel, '');
    })().catch((error) => {
      for (const call of this.#calls.splice(0))
        call.reject(new DatabaseUnavailable('The database engine does not start'));
      this.#failedAt = Date.now();
      this.#log.error({ error: error.message }, 'database engine does not start');
      throw new DatabaseUnavailable('The database engine does not start');
    });
    this.#ready.catch(() => {});
  }
}

const TIMED_OUT = { code: '57014', message: 'canceling statement due to statement timeout' };
const tooComplex = () => new DatabaseError({ code: '54001', message: 'stack depth limit exceeded' });
const broken = () => new DatabaseError({ code: 'XX000', message: 'the database engine failed and is being restarted' });

function started(worker: Worker): Promise<CancelFlags> {
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
