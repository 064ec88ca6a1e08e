import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { DatabaseError, DatabaseUnavailable } from './database.ts';
import type { Answer } from './pglite-wire.ts';
import type { EngineData, EngineMessage, EngineRequest } from './pglite-worker.ts';

const STACK_MB = 32;
const START_MS = 60_000;
const RESTART_WAIT_MS = 5_000;
const RETRY_AFTER_MS = 1_000;

interface Running {
  resolve: (answers: Answer[]) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/**
 * Keeps a thread with the engine alive. Nothing can cancel a statement inside it, so one that takes too long, like an
 * engine that broke, is ended together with its thread; the folder is opened again in a new one (about 0.7 s).
 */
export class PGliteEngine {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #makeWay: () => Promise<void>;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #worker: Worker | null = null;
  #ready: Promise<void> = Promise.resolve();
  #failedAt = 0;
  #running: Running | null = null;
  #closing = false;
  /** Counts the restarts. A transaction that began in an earlier one is lost. */
  generation = 0;

  /** @param makeWay called before the folder is opened or closed, both of which need some room on the disk */
  constructor(folder: string, log: Logger, makeWay: () => Promise<void> = async () => {}) {
    this.#folder = folder;
    this.#log = log;
    this.#makeWay = makeWay;
  }

  async start(): Promise<void> {
    this.#ready = this.#open();
    await this.#ready;
  }

  /**
   * One message to the engine. The caller holds the only session, so there is never a second one under way.
   * @param timeoutMs past it the engine is restarted
   * @param generation refuse when the engine was restarted since: the transaction this belongs to is gone
   * @throws DatabaseError for a refusal, 57014 past the time; DatabaseUnavailable when the engine is away
   */
  async call(request: EngineRequest, timeoutMs: number, generation?: number): Promise<Answer[]> {
    await this.#awake();
    if (generation !== undefined && generation !== this.generation)
      throw new DatabaseUnavailable('The transaction was lost with the database engine');
    const worker = this.#worker;
    if (!worker) throw new DatabaseUnavailable('The database engine is starting');
    return new Promise<Answer[]>((resolve, reject) => {
      worker.postMessage(request);
      const timer = setTimeout(() => this.interrupt(), Math.max(1, timeoutMs));
      this.#running = { resolve, reject, timer };
    });
  }

  /** Ends what runs, with the engine. */
  interrupt(): void {
    this.#replace('a statement took too long', timedOut());
  }

  /** Hears a channel in this and every later engine. The caller runs `listen` once itself. */
  hear(channel: string, heard: (payload: string) => void): void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(heard));
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

  async #open(): Promise<void> {
    await this.#makeWay();
    const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
      workerData: { folder: this.#folder, channels: [...this.#listeners.keys()] } satisfies EngineData,
      resourceLimits: { stackSizeMb: STACK_MB },
      execArgv: [],
    });
    worker.on('message', (message: EngineMessage) => this.#read(message));
    try {
      await started(worker);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    this.#worker = worker;
    worker.on('error', (error) => this.#lost(worker, (error as Error).message));
    worker.on('exit', () => this.#lost(worker, 'its thread ended'));
  }

  #read(message: EngineMessage): void {
    switch (message.kind) {
      case 'answers':
        this.#settle()?.resolve(message.answers);
        break;
      case 'refusal':
        this.#settle()?.reject(new DatabaseError(message.refusal));
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
        this.#replace(message.message, message.tooComplex ? tooComplex() : broken());
        break;
    }
  }

  #tell(channel: string, payload: string): void {
    for (const heard of this.#listeners.get(channel) ?? []) heard(payload);
  }

  #settle(): Running | null {
    const running = this.#running;
    if (running) clearTimeout(running.timer);
    this.#running = null;
    return running;
  }

  #lost(worker: Worker, reason: string): void {
    if (worker !== this.#worker || this.#closing) return;
    this.#replace(reason, new DatabaseUnavailable('The database engine stopped and is being restarted'));
  }

  #replace(reason: string, error: Error): void {
    this.#log.error({ reason }, 'engine fault: the database engine is being restarted');
    this.#reopen();
    this.#settle()?.reject(error);
  }

  #reopen(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#failedAt = 0;
    this.generation++;
    this.#ready = (async () => {
      // Two engines in one folder would destroy it: the old one must be gone before.
      await worker?.terminate();
      await this.#open();
      // Whatever was said while the old one ended was missed.
      for (const channel of this.#listeners.keys()) this.#tell(channel, '');
    })().catch((error) => {
      this.#failedAt = Date.now();
      this.#log.error({ error: error.message }, 'the database engine does not start');
      throw new DatabaseUnavailable('The database engine does not start');
    });
    this.#ready.catch(() => {});
  }
}

const timedOut = () => new DatabaseError({ code: '57014', message: 'canceling statement due to statement timeout' });
const tooComplex = () => new DatabaseError({ code: '54001', message: 'stack depth limit exceeded' });
const broken = () => new DatabaseError({ code: 'XX000', message: 'the database engine broke and is being restarted' });

async function started(worker: Worker): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The database engine did not start in time')), START_MS);
    worker.on('message', function ready({ kind }: EngineMessage) {
      if (kind !== 'ready') return;
      clearTimeout(timer);
      worker.off('message', ready);
      worker.removeAllListeners('error').removeAllListeners('exit');
      resolve();
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The database engine ended while it was starting')));
  });
}
