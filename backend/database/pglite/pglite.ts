import { copyBeforeRecovery } from '../../data-dir/database-copies.ts';
import { lockFolder } from '../../data-dir/lock-folder.ts';
import {
  type BatchOptions,
  type Database,
  DatabaseError,
  type DatabaseLoad,
  DatabaseUnavailable,
  DEFAULT_TIMEOUT_MS,
  EngineReplaced,
  isDamage,
  listenStatement,
  type Result,
  type Statement,
  type Transaction,
  type TransactionOptions,
  type Value,
} from '../database.ts';
import { ALLOWED_MS } from '../database-time.ts';
import type { OpenOptions } from '../open-database.ts';
import { Ballast } from '../reserved-space.ts';
import { type QueueOptions, StatementQueue } from '../statement-queue.ts';
import { whileThereIsRoom } from '../write-guard.ts';
import { copyDatabaseFolder, makeFolder } from './database-folder.ts';
import { type Asked, PGliteEngine } from './engine.ts';
import type { Shared, Work } from './engine-worker.ts';
import type { StandStill } from './folder-copy.ts';
import { keepUp } from './maintenance.ts';
import type { Answer } from './wire.ts';

const ROLLBACK_MS = 5_000;
/** How long a costly batch is restarted in favour of others before it is rejected. */
const SET_ASIDE_MS = 10_000;

/** Creates the folder when missing. @throws Error when another process has it open */
export async function openPGlite(folder: string, options: OpenOptions): Promise<Database> {
  const unlock = lockFolder(folder);
  try {
    await makeFolder(folder, options.template);
    await copyBeforeRecovery(folder, options.log);
    const { room } = options;
    const ballast = room && new Ballast(`${folder}.ballast`, room.disk);
    const engine = new PGliteEngine(folder, options.log, async () => ballast?.makeWay());
    await engine.start(options.meanwhile).catch((error: Error) => {
      const why = error.message.split('\n')[0];
      throw new Error(
        `The database in ${folder} cannot be opened: ${why} See the log for the engine’s message. If its files are damaged, restore a backup of DATA_DIR.`,
        { cause: error },
      );
    });
    ballast?.keepLaid(options.log);
    const letGo = async () => {
      await ballast?.end();
      unlock();
    };
    const db = new PGliteDatabase(folder, engine, letGo, options);
    return room ? whileThereIsRoom(db, room) : db;
  } catch (error) {
    unlock();
    throw error;
  }
}

class PGliteDatabase implements Database {
  readonly engine = 'pglite';
  readonly folder: string;
  readonly #engine: PGliteEngine;
  readonly #unlock: () => void;
  readonly #turns: StatementQueue;
  readonly #timeoutMs: number;
  readonly #endUpkeep: () => void;
  #closed: Promise<void> | null = null;
  damaged = false;

  constructor(folder: string, engine: PGliteEngine, unlock: () => void, options: OpenOptions) {
    this.folder = folder;
    this.#engine = engine;
    this.#unlock = unlock;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#turns = new StatementQueue({
      sessions: 1,
      waiting: options.waiting,
      waitMs: options.waitMs,
      allowedMs: options.allowedMs === undefined ? ALLOWED_MS : options.allowedMs,
      meter: () => engine.workedMs,
    });
    this.#endUpkeep = keepUp(options.room ? whileThereIsRoom(this, options.room) : this, options.log);
  }

  async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
    const request: Work = { kind: 'run', statements: [{ text, values }] };
    const [answer] = await this.#inTurn(
      () => this.#engine.call(request, this.#timeoutMs, { patienceMs: this.#turns.patienceMs }),
      { single: true },
    );
    return answer as unknown as Result<Row>;
  }

  async batch(statements: readonly Statement[], options: BatchOptions = {}): Promise<Result[]> {
    const block = { readOnly: options.readOnly ?? false };
    let asked: Asked | undefined;
    const call = () => {
      const shared = block.readOnly ? {} : { shared: this.#share() };
      const request: Work = { kind: 'run', statements, block, ...shared };
      asked = this.#engine.ask(request, options.timeoutMs ?? this.#timeoutMs, { patienceMs: this.#turns.patienceMs });
      return asked.answers;
    };
    const { asker } = options;
    if (!asker?.limited) return this.#inTurn(call, { asker, single: true });
    const giveUp = performance.now() + SET_ASIDE_MS;
    for (;;) {
      let isSetAside = false;
      const giveWay = () => {
        isSetAside = true;
        asked?.cancel();
      };
      try {
        return await this.#inTurn(call, { asker, giveWay, single: true });
      } catch (error) {
        const isCancelled = error instanceof DatabaseError && error.code === '57014';
        if (!isSetAside || !isCancelled || error instanceof EngineReplaced) throw error;
        if (performance.now() > giveUp) throw new DatabaseUnavailable('The database is busy with other visitors');
        // Rolled back; runs again once the waiting calls are served.
      }
    }
  }

  async script(sql: string, options: Pick<BatchOptions, 'timeoutMs'> = {}): Promise<void> {
    await this.#inTurn(() => this.#engine.call({ kind: 'script', sql }, options.timeoutMs ?? this.#timeoutMs));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { asker } = options;
    // Writes may finish unless known to be costly, because they are not restarted.
    const mayEnd = asker?.limited && (options.readOnly || asker.heavy);
    const share = options.readOnly ? null : this.#share;
    const session = new Session(this.#engine, options.timeoutMs ?? this.#timeoutMs, share);
    const giveWay = () => session.cancel();
    return this.#inTurn(() => transact(session, work, options), mayEnd ? { asker, giveWay } : { asker });
  }

  async listen(channel: string, heard: (payload: string) => void): Promise<void> {
    this.#engine.hear(channel, heard);
    await this.query(listenStatement(channel));
  }

  async caughtUp(): Promise<void> {}

  get load(): DatabaseLoad {
    const { inUse, waiting } = this.#turns;
    return { sessions: { inUse, waiting }, listenerAgeMs: null };
  }

  async beAlone(): Promise<() => Promise<void>> {
    return async () => {};
  }

  async copyFolder(to: string, { durable = true }: { durable?: boolean } = {}): Promise<void> {
    const standStill: StandStill = (work) =>
      this.#inTurn(async () => {
        await this.#engine.call({ kind: 'script', sql: 'checkpoint' }, this.#timeoutMs);
        await work();
      });
    await copyDatabaseFolder(this.folder, to, standStill, durable);
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#endUpkeep();
      await this.#turns.close();
      await this.#engine.stop();
      this.#unlock();
    })();
    return this.#closed;
  }

  #inTurn<T>(work: () => Promise<T>, options?: QueueOptions): Promise<T> {
    return this.#turns
      .run(work, options)
      .catch((error: unknown) => {
        this.damaged ||= isDamage(error);
        throw error;
      })
      .finally(() => this.#engine.forced());
  }

  /** A waiting call may fsync for both. */
  #share = (): Shared => (this.#turns.waiting > 0 ? 'followed' : 'last');
}

async function transact<T>(
  session: Session,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  try {
    const begin = { text: options.readOnly ? 'begin read only' : 'begin' };
    await session.begin([begin, ...(options.first ?? [])]);
    const result = await session.inTime(work(session));
    await session.commit();
    return result;
  } catch (error) {
    await session.rollback();
    throw error;
  }
}

/** Bound to one engine generation; rejects everything once the transaction or the engine has ended. */
class Session implements Transaction {
  readonly #engine: PGliteEngine;
  readonly #timeoutMs: number;
  #deadline = Number.POSITIVE_INFINITY;
  #asked: Asked | undefined;
  readonly #share: (() => Shared) | null;
  #generation: number | undefined;
  #over = false;
  #last: Promise<unknown> = Promise.resolve();

  /** @param share whether its commit may share an fsync; null when it only reads */
  constructor(engine: PGliteEngine, timeoutMs: number, share: (() => Shared) | null) {
    this.#engine = engine;
    this.#share = share;
    this.#timeoutMs = timeoutMs;
  }

  async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
    const [answer] = await this.#run([{ text, values }]);
    return answer as unknown as Result<Row>;
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

  async inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLong()), this.#deadline - performance.now());
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  async commit(): Promise<void> {
    const [answer] = await this.#run([{ text: 'commit' }], this.#share?.());
    this.#over = true;
    if (answer?.command !== 'COMMIT')
      throw new DatabaseError({
        code: '25P02',
        message: 'A statement of the transaction failed, so it was rolled back',
      });
  }

  cancel(): void {
    this.#asked?.cancel();
  }

  async rollback(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await this.#last;
    // A lost engine has nothing to roll back; one that fails to is restarted, which rolls back.
    const rollback: Work = { kind: 'run', statements: [{ text: 'rollback' }], shared: 'followed' };
    await this.#engine.call(rollback, ROLLBACK_MS, { generation: this.#generation }).catch(() => {});
  }

  /** Before its commit, a writing transaction has nothing to fsync. */
  #run(statements: Statement[], shared: Shared | undefined = this.#share ? 'followed' : undefined): Promise<Answer[]> {
    return this.#send({ kind: 'run', statements, ...(shared && { shared }) });
  }

  #send(request: Work): Promise<Answer[]> {
    if (this.#over) return Promise.reject(new DatabaseUnavailable('The transaction is over'));
    const answer = this.#last.then(() => {
      const left = this.#deadline - performance.now();
      if (left <= 0) throw tooLong();
      this.#asked = this.#engine.ask(request, left, { generation: this.#generation });
      return this.#asked.answers;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}

const tooLong = () => new DatabaseError({ code: '57014', message: 'canceling transaction due to its time limit' });
