// Long: a call, its cancellation, its time and the end of its engine are one state.
import { AsyncResource } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { DatabaseError, DatabaseUnavailable, EngineReplaced } from '../database.ts';
import { type Answer, type CancelFlags, MARKS, type Refusal } from './wire.ts';
import type { EngineData, EngineMessage, EngineRequest, Work } from './worker.ts';

const STACK_MB = 32;
const START_MS = 60_000;
const RESTART_WAIT_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
/** So long an engine may take to let go of a cancelled statement before it is replaced: milliseconds, but on a machine that does much else, seconds. */
const CANCEL_MS = 5_000;
const CANCEL_AGAIN_MS = 1_000;
/** So long the first of those who share a force of the log waits for more of them while nobody writes, milliseconds. */
const SHARED_FORCE_MS = 10;

/** A message to the engine that was not answered yet. */
interface Call {
  /** Under which the engine knows it. */
  number: number;
  request: Work;
  timeoutMs: number;
  /** Asked for, perhaps before its turn. */
  cancelled: boolean;
  resolve: (answers: Answer[]) => void;
  reject: (error: Error) => void;
  /** Of its time limit, or of what makes sure that it heeds its cancellation; since it is the first. */
  timer: NodeJS.Timeout | undefined;
}

interface AskOptions {
  /** Refuse when the engine was restarted since: the transaction this belongs to is gone. */
  generation?: number | undefined;
  /** How long it may wait behind another one; past it nothing of it happens, and it is DatabaseUnavailable. */
  patienceMs?: number;
}

/** What the caller of one message holds. */
export interface Asked {
  answers: Promise<Answer[]>;
  /** Has it refused with 57014; an engine that does not let go of it is replaced. */
  cancel(): void;
}

/**
 * Keeps a thread with the engine alive. A statement that takes too long is cancelled. One that does not heed it, like
 * an engine that broke, is ended together with its thread; the folder is opened again in a new one (about 0.7 s).
 */
export class PGliteEngine {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #makeWay: () => Promise<void>;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #worker: Worker | null = null;
  #flags: CancelFlags | null = null;
  #ready: Promise<void> = Promise.resolve();
  #failedAt = 0;
  /** In the order in which the engine takes them. Only the first of them runs. */
  readonly #calls: Call[] = [];
  #number = 0;
  /** Set while something that the engine has done is not on the disk yet. */
  #owed: (PromiseWithResolvers<void> & { timer: NodeJS.Timeout }) | null = null;
  #closing = false;
  /** Counts the restarts. A transaction that began in an earlier one is lost. */
  generation = 0;
  /** Processor time of all calls so far, milliseconds. */
  workedMs = 0;

  /** @param makeWay called before the folder is opened or closed, both of which need some room on the disk */
  constructor(folder: string, log: Logger, makeWay: () => Promise<void> = async () => {}) {
    this.#folder = folder;
    this.#log = log;
    this.#makeWay = makeWay;
  }

  /** @param meanwhile called when the thread has been started */
  async start(meanwhile?: () => void): Promise<void> {
    this.#ready = this.#open(meanwhile);
    await this.#ready;
  }

  /** As `ask`, for whoever does not take it back. */
  call(request: Work, timeoutMs: number, options?: AskOptions): Promise<Answer[]> {
    return this.ask(request, timeoutMs, options).answers;
  }

  /**
   * One message to the engine, which takes them one after the other: a second one may be on its way while the first is
   * worked on, so that the engine never waits for us.
   * @param timeoutMs past it the statement is cancelled
   * @throws DatabaseError for a refusal, 57014 past the time; DatabaseUnavailable when the engine is away
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

  /** The time of a call counts from when it is the first. */
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
      // Too late: its answer is on the way.
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
      // Asked between two statements of a batch, it may have to be asked again.
      call.timer = setTimeout(ask, CANCEL_AGAIN_MS);
    };
    ask();
  }

  /** Resolves when everything that the engine has answered is on the disk. @throws DatabaseError (XX000) when that is not known */
  async forced(): Promise<void> {
    await this.#owed?.promise;
  }

  /** Hears a channel in this and every later engine. The caller runs `listen` once itself. */
  hear(channel: string, heard: (payload: string) => void): void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    // Whoever is heard by acts in its own name, not inside the transaction of whoever happened to ask.
    this.#listeners.set(channel, listeners.add(AsyncResource.bind(heard)));
  }

  /** Checkpoint, then the end of the thread. */
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
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
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
        // An engine that breaks as it closes is recovered by whoever opens the folder next: it is not ours any more.
        if (this.#closing) this.#log.error({ reason: message.message }, 'database engine failed while closing');
        else this.#replace(message.message, message.tooComplex ? tooComplex() : broken());
        break;
    }
  }

  #owe(): void {
    if (this.#owed) return;
    const force = () => this.#worker?.postMessage({ kind: 'force' } satisfies EngineRequest);
    this.#owed = { ...Promise.withResolvers<void>(), timer: setTimeout(force, SHARED_FORCE_MS) };
    // Nobody may have waited for it.
    this.#owed.promise.catch(() => {});
  }

  /** @param error the engine is gone, and nobody knows whether its log reached the disk */
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

  /** The first call is over, and the next one begins. */
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
      // They were never begun: an engine that breaks takes nothing any more.
      for (const { request, number } of this.#calls) this.#worker!.postMessage({ ...request, number });
      this.#begins();
      // Whatever was said while the old one ended was missed.
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
