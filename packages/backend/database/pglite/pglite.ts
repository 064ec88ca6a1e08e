import { lockFolder } from '../../data-dir/lock-folder.ts';
import type { BatchOptions, Database, Result, Statement, Transaction, TransactionOptions, Value } from '../database.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  DEFAULT_TIMEOUT_MS,
  EngineRestarted,
  isCorruption,
  listenStatement,
  transactionFailed,
  transactionTimedOut,
  withTimeout,
} from '../database.ts';
import { copyBeforeRecovery } from '../database-copies.ts';
import type { OpenOptions } from '../open-database.ts';
import { type QueueOptions, StatementQueue } from '../statement-queue.ts';
import { guardWrites } from '../write-guard.ts';
import { copyDatabaseFolder, createDatabaseFolder } from './database-folder.ts';
import { type PendingCall, PGliteEngine } from './engine.ts';
import type { CommitSharing, EngineCall } from './engine-worker.ts';
import type { PauseWrites } from './folder-copy.ts';
import { startMaintenance } from './maintenance.ts';
import { ReservedSpace } from './reserved-space.ts';
import type { StatementResult } from './wire.ts';

const ROLLBACK_MS = 5_000;
/** How long a heavy batch may be rolled back in favour of other clients before it is rejected. */
const MAX_RESTARTS_MS = 10_000;

/** Creates the folder when missing. @throws Error when another process has it open */
export async function openPGlite(folder: string, options: OpenOptions): Promise<Database> {
  const unlock = lockFolder(folder);
  try {
    await createDatabaseFolder(folder, options.template);
    await copyBeforeRecovery(folder, options.log);
    const { writeGuard } = options;
    const reservedSpace = writeGuard && new ReservedSpace(`${folder}.ballast`, writeGuard.disk);
    const engine = new PGliteEngine(folder, options.log, async () => reservedSpace?.release());
    await engine.start(options.whileOpening).catch((error: Error) => {
      const reason = error.message.split('\n')[0];
      throw new Error(
        `The database in ${folder} cannot be opened: ${reason} See the log for the engine’s message. If its files are damaged, restore a backup of DATA_DIR.`,
        { cause: error },
      );
    });
    reservedSpace?.keepReserved(options.log);
    const release = async () => {
      await reservedSpace?.stop();
      unlock();
    };
    const db = new PGliteDatabase(folder, engine, release, options);
    return writeGuard ? guardWrites(db, writeGuard) : db;
  } catch (error) {
    unlock();
    throw error;
  }
}

class PGliteDatabase implements Database {
  readonly engine = 'pglite';
  readonly folder: string;
  readonly #engine: PGliteEngine;
  readonly #release: () => Promise<void>;
  readonly #queue: StatementQueue;
  readonly #timeoutMs: number;
  readonly #stopMaintenance: () => Promise<void>;
  #closed: Promise<void> | null = null;
  isDamaged = false;

  constructor(folder: string, engine: PGliteEngine, release: () => Promise<void>, options: OpenOptions) {
    this.folder = folder;
    this.#engine = engine;
    this.#release = release;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const { maxWaiting, maxWaitMs, allowedMs = null } = options;
    this.#queue = new StatementQueue({ sessions: 1, maxWaiting, maxWaitMs, allowedMs, meterMs: () => engine.workedMs });
    const guarded = options.writeGuard ? guardWrites(this, options.writeGuard) : this;
    this.#stopMaintenance = startMaintenance(guarded, options.log);
  }

  async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
    const request: EngineCall = { kind: 'run', statements: [{ text, values }] };
    const call = () => this.#engine.call(request, this.#timeoutMs, { maxWaitMs: this.#queue.maxWaitMs });
    const [result] = await this.#enqueue(call, { isSingleMessage: true });
    return result as unknown as Result<Row>;
  }

  async batch(statements: readonly Statement[], options: BatchOptions = {}): Promise<Result[]> {
    const block = { readOnly: options.readOnly ?? false };
    let pendingCall: PendingCall | undefined;
    const call = () => {
      const sharing = block.readOnly ? {} : { sharing: this.#commitSharing() };
      const request: EngineCall = { kind: 'run', statements, block, ...sharing };
      const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
      pendingCall = this.#engine.send(request, timeoutMs, { maxWaitMs: this.#queue.maxWaitMs });
      return pendingCall.results;
    };
    const { client } = options;
    if (!client?.limited) return this.#enqueue(call, { client, isSingleMessage: true });
    const deadline = performance.now() + MAX_RESTARTS_MS;
    for (;;) {
      let hasYielded = false;
      const onYield = () => {
        hasYielded = true;
        pendingCall?.cancel();
      };
      try {
        return await this.#enqueue(call, { client, onYield, isSingleMessage: true });
      } catch (error) {
        const isCancelled = error instanceof DatabaseError && error.code === '57014';
        if (!hasYielded || !isCancelled || error instanceof EngineRestarted) throw error;
        if (performance.now() > deadline) throw new DatabaseUnavailable('The database is busy with other visitors');
        // Rolled back; runs again once the waiting calls are served.
      }
    }
  }

  async script(sql: string, options: Pick<BatchOptions, 'timeoutMs'> = {}): Promise<void> {
    await this.#enqueue(() => this.#engine.call({ kind: 'script', sql }, options.timeoutMs ?? this.#timeoutMs));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { client } = options;
    // Writes may finish unless known to be costly, because they are not restarted.
    const canYield = client?.limited && (options.readOnly || client.heavy);
    const commitSharing = options.readOnly ? null : this.#commitSharing;
    const session = new PGliteTransaction(this.#engine, options.timeoutMs ?? this.#timeoutMs, commitSharing);
    const onYield = () => session.cancel();
    return this.#enqueue(() => transact(session, work, options), canYield ? { client, onYield } : { client });
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<void> {
    this.#engine.listen(channel, onNotify);
    await this.query(listenStatement(channel));
  }

  async waitForNotifications(): Promise<void> {}

  get load() {
    const { inUse, waiting } = this.#queue;
    return { sessions: { inUse, waiting }, listenerAgeMs: null };
  }

  async acquireStartLock(): Promise<() => Promise<void>> {
    return async () => {};
  }

  async copyFolder(to: string, { durable = true }: { durable?: boolean } = {}): Promise<void> {
    const pauseWrites: PauseWrites = (work) =>
      this.#enqueue(async () => {
        await this.#engine.call({ kind: 'script', sql: 'checkpoint' }, this.#timeoutMs);
        await work();
      });
    await copyDatabaseFolder(this.folder, to, pauseWrites, durable);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      void this.#stopMaintenance();
      await this.#queue.close();
      await this.#engine.stop();
      await this.#release();
    })();
    return this.#closed;
  }

  #enqueue<T>(work: () => Promise<T>, options?: QueueOptions): Promise<T> {
    return this.#queue
      .run(work, options)
      .catch((error: unknown) => {
        this.isDamaged ||= isCorruption(error);
        throw error;
      })
      .finally(() => this.#engine.flushed());
  }

  /** The fsync of a waiting call covers this one too. */
  #commitSharing = (): CommitSharing => (this.#queue.waiting > 0 ? 'followed' : 'last');
}

async function transact<T>(
  session: PGliteTransaction,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  try {
    const begin = { text: options.readOnly ? 'begin read only' : 'begin' };
    await session.begin([begin, ...(options.setupStatements ?? [])]);
    const result = await withTimeout(work(session), session.remainingMs, transactionTimedOut);
    await session.commit();
    return result;
  } catch (error) {
    await session.rollback();
    throw error;
  }
}

/** Bound to one engine generation; rejects everything once the transaction or the engine has ended. */
class PGliteTransaction implements Transaction {
  readonly #engine: PGliteEngine;
  readonly #timeoutMs: number;
  #deadline = Number.POSITIVE_INFINITY;
  #pendingCall: PendingCall | undefined;
  readonly #commitSharing: (() => CommitSharing) | null;
  #generation: number | undefined;
  #isOver = false;
  #lastCall: Promise<unknown> = Promise.resolve();

  /** @param commitSharing whether its commit may share an fsync; null when it only reads */
  constructor(engine: PGliteEngine, timeoutMs: number, commitSharing: (() => CommitSharing) | null) {
    this.#engine = engine;
    this.#commitSharing = commitSharing;
    this.#timeoutMs = timeoutMs;
  }

  async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
    const [result] = await this.#run([{ text, values }]);
    return result as unknown as Result<Row>;
  }

  async script(sql: string): Promise<void> {
    await this.#send({ kind: 'script', sql });
  }

  async begin(statements: Statement[]): Promise<void> {
    this.#deadline = performance.now() + this.#timeoutMs;
    try {
      await this.#run(statements);
    } finally {
      this.#generation = this.#engine.generation;
    }
  }

  get remainingMs(): number {
    return this.#deadline - performance.now();
  }

  async commit(): Promise<void> {
    const [result] = await this.#run([{ text: 'commit' }], this.#commitSharing?.());
    this.#isOver = true;
    if (result?.command !== 'COMMIT') throw transactionFailed();
  }

  cancel(): void {
    this.#pendingCall?.cancel();
  }

  async rollback(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#lastCall;
    // A lost engine has nothing to roll back; one that fails to is restarted, which rolls back.
    const rollback: EngineCall = { kind: 'run', statements: [{ text: 'rollback' }], sharing: 'followed' };
    await this.#engine.call(rollback, ROLLBACK_MS, { generation: this.#generation }).catch(() => {});
  }

  /** Before its commit, a writing transaction has nothing to fsync. */
  #run(statements: Statement[], sharing: CommitSharing | undefined = this.#commitSharing ? 'followed' : undefined) {
    return this.#send({ kind: 'run', statements, ...(sharing && { sharing }) });
  }

  #send(request: EngineCall): Promise<StatementResult[]> {
    if (this.#isOver) return Promise.reject(new DatabaseUnavailable('The transaction is over'));
    const result = this.#lastCall.then(() => {
      const { remainingMs } = this;
      if (remainingMs <= 0) throw transactionTimedOut();
      this.#pendingCall = this.#engine.send(request, remainingMs, { generation: this.#generation });
      return this.#pendingCall.results;
    });
    this.#lastCall = result.catch(() => {});
    return result;
  }
}
