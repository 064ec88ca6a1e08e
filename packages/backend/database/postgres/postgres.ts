import type { Logger } from 'pino';
import type { DatabaseChoice } from '../../config/config.ts';
import type { BatchOptions, Database, Result, Statement, Transaction, TransactionOptions, Value } from '../database.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  DEFAULT_TIMEOUT_MS,
  isCorruption,
  transactionFailed,
  transactionTimedOut,
  withTimeout,
} from '../database.ts';
import type { OpenOptions } from '../open-database.ts';
import { StatementQueue } from '../statement-queue.ts';
import { PostgresListener } from './listener.ts';
import { PostgresServers } from './servers.ts';
import type { PostgresSession } from './session.ts';

const DEFAULT_SESSIONS = 10;
const MIN_SERVER_VERSION = 150_000;
/** Extra time beyond the timeout of the work, before the connection to a silent server is dropped. */
const GRACE_MS = 1_000;
/** Serialises first starts and migrations of several servers. */
const START_LOCK = '7205759403792796';
/** Ends the session, and its lock, when a machine has been unreachable for half a minute. */
const KEEPALIVE_SETTINGS =
  'set statement_timeout = 0; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4';
const POOLER_ERROR =
  'DATABASE_URL names a pooler in transaction mode. Set DATABASE_DIRECT_URL to the PostgreSQL server behind it.';

type PostgresChoice = Extract<DatabaseChoice, { kind: 'postgres' }>;

/** @throws Error with a message for the operator when the server is unusable */
export async function openPostgres(choice: PostgresChoice, options: OpenOptions): Promise<Database> {
  const database = new PostgresDatabase(choice, options);
  try {
    await database.checkServer();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly #servers: PostgresServers;
  /** For work that needs its own session: the same servers, or those behind the pooler. */
  readonly #direct: PostgresServers;
  readonly #pooled: boolean;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  readonly #queue: StatementQueue;
  readonly #idle: PostgresSession[] = [];
  readonly #busy = new Set<PostgresSession>();
  readonly #lockSessions = new Set<PostgresSession>();
  readonly #listener: PostgresListener;
  #closing: Promise<void> | null = null;
  isDamaged = false;

  constructor({ url, directUrl = url, sessions = DEFAULT_SESSIONS }: PostgresChoice, options: OpenOptions) {
    this.#pooled = directUrl !== url;
    this.#servers = new PostgresServers(url, 'DATABASE_URL', this.#pooled);
    this.#direct = this.#pooled ? new PostgresServers(directUrl, 'DATABASE_DIRECT_URL', false) : this.#servers;
    const { log, timeoutMs = DEFAULT_TIMEOUT_MS, maxWaiting, maxWaitMs } = options;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#queue = new StatementQueue({ sessions: options.sessions ?? sessions - 1, maxWaiting, maxWaitMs });
    const onUnreachable = (since: number) => this.#dropSilentSessions(since);
    this.#listener = new PostgresListener(this.#direct, { timeoutMs, log, onUnreachable });
  }

  async checkServer(): Promise<void> {
    const { rows } = await this.query<{ number: number; version: string; keepsSettings: boolean }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
              current_setting('idle_in_transaction_session_timeout') = '10min' as "keepsSettings"`,
    ).catch(describeError('DATABASE_URL'));
    const { number, version, keepsSettings } = rows[0]!;
    if (number < MIN_SERVER_VERSION)
      throw new Error(`DATABASE_URL names a PostgreSQL ${version}; it must be 15 or newer.`);
    if (!keepsSettings) throw new Error(POOLER_ERROR);
    if (this.#pooled)
      await this.#direct
        .open({ timeoutMs: this.#timeoutMs })
        .then((session) => session.close())
        .catch(describeError('DATABASE_DIRECT_URL'));
  }

  async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
    if (this.#pooled) return (await this.batch([{ text, ...(values ? { values } : {}) }]))[0] as Result<Row>;
    return this.#retryStalePlan((session) => session.query<Row>(text, values), this.#timeoutMs);
  }

  async script(sql: string, options: Pick<BatchOptions, 'timeoutMs'> = {}): Promise<void> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const run = async (session: PostgresSession) => {
      try {
        await session.script(`set statement_timeout = ${Math.ceil(timeoutMs)}`);
        await session.script(sql);
      } finally {
        // A script may leave anything behind: a setting, a role, an open transaction.
        await session.close();
      }
    };
    await this.#withSession(run, timeoutMs, { direct: true });
  }

  batch(statements: readonly Statement[], options: BatchOptions = {}): Promise<Result[]> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const run = async (session: PostgresSession): Promise<Result[]> => {
      // Pipelined: after an error the server rejects the rest, and turns the commit into a rollback.
      const [beginResult, ...settled] = await Promise.allSettled([
        session.begin(options.readOnly, timeoutMs),
        ...statements.map(({ text, values }) => session.query(text, values)),
        session.query('commit'),
      ]);
      const failed = [beginResult, ...settled].find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      const results = settled.map((result) => (result as PromiseFulfilledResult<Result & { command: string }>).value);
      if (results.pop()?.command !== 'COMMIT') throw transactionFailed();
      return results;
    };
    return this.#retryStalePlan(run, timeoutMs, options);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    return this.#withSession((session) => transact(session, work, options, timeoutMs), timeoutMs, options);
  }

  listen(channel: string, onNotify: (payload: string) => void, onLost?: () => void): Promise<void> {
    return this.#listener.listen(channel, onNotify, onLost);
  }

  waitForNotifications(): Promise<void> {
    return this.#listener.waitForNotifications();
  }

  get load() {
    const { inUse, waiting } = this.#queue;
    return { sessions: { inUse, waiting }, listenerAgeMs: this.#listener.ageMs };
  }

  async acquireStartLock(): Promise<() => Promise<void>> {
    const session = await this.#direct.open({ timeoutMs: this.#timeoutMs });
    this.#lockSessions.add(session);
    await session.script(KEEPALIVE_SETTINGS);
    const { rows } = await session.query<{ locked: boolean }>(`select pg_try_advisory_lock(${START_LOCK}) as locked`);
    if (!rows[0]!.locked) {
      this.#log.info('waiting for another process to prepare the database');
      await session.query(`select pg_advisory_lock(${START_LOCK})`);
    }
    return async () => {
      this.#lockSessions.delete(session);
      await session.close();
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#queue.close();
      const sessions = [...this.#idle, ...this.#lockSessions];
      await Promise.all([this.#listener.close(), ...sessions.map((session) => session.close())]);
    })();
    return this.#closing;
  }

  /** For work in a single message: a plan outdated by a migration rejects all of it, so it can be repeated. */
  async #retryStalePlan<T>(
    work: (session: PostgresSession) => Promise<T>,
    timeoutMs: number,
    options: BatchOptions = {},
  ): Promise<T> {
    try {
      return await this.#withSession(work, timeoutMs, options);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return this.#withSession(work, timeoutMs, options);
    }
  }

  #withSession<T>(
    work: (session: PostgresSession) => Promise<T>,
    timeoutMs: number,
    { client, readOnly, direct = false }: TransactionOptions = {},
  ): Promise<T> {
    const ownsSession = direct && this.#pooled;
    const run = async () => {
      const session = ownsSession ? await this.#direct.open({ timeoutMs }) : await this.#acquireSession();
      this.#busy.add(session);
      try {
        return await session.withTimeout(work(session), timeoutMs + GRACE_MS);
      } catch (error) {
        this.isDamaged ||= isCorruption(error);
        if (isStalePlan(error)) for (const staleSession of [session, ...this.#idle.splice(0)]) staleSession.destroy();
        if (readOnly || !(error instanceof DatabaseError) || error.code !== '25006') throw error;
        session.destroy();
        throw new DatabaseUnavailable('The database server no longer accepts writes');
      } finally {
        this.#busy.delete(session);
        if (ownsSession || session.isWornOut) await session.close();
        if (!session.isClosed) this.#idle.push(session);
      }
    };
    return this.#queue.run(run, { client });
  }

  /** Drops sessions of a server silent since then: calls need not time out. A pooler's silence proves nothing. */
  #dropSilentSessions(since: number): void {
    if (this.#pooled) return;
    for (const session of [...this.#busy, ...this.#idle]) {
      const { isSilent, respondedAt } = session.server;
      if (isSilent && respondedAt < since) session.destroy();
    }
  }

  async #acquireSession(): Promise<PostgresSession> {
    for (let session = this.#idle.pop(); session; session = this.#idle.pop()) if (!session.isClosed) return session;
    return this.#servers.open({ timeoutMs: this.#timeoutMs });
  }
}

/** @param timeoutMs per statement and in all @throws any error of `work`; DatabaseError 57014 on timeout */
async function transact<T>(
  session: PostgresSession,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  timeoutMs: number,
): Promise<T> {
  let isOver = false;
  const whileOpen = <R>(action: () => Promise<R>): Promise<R> =>
    isOver ? Promise.reject(new DatabaseUnavailable('The transaction is over')) : action();
  const tx: Transaction = {
    query: (text, values) => whileOpen(() => session.query(text, values)),
    script: (sql) => whileOpen(() => session.script(sql)),
  };
  try {
    const setup = [session.begin(options.readOnly, timeoutMs)];
    for (const { text, values } of options.setupStatements ?? [])
      setup.push(session.query(text, values).then(() => {}));
    const failed = (await Promise.allSettled(setup)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    const result = await withTimeout(work(tx), timeoutMs, transactionTimedOut);
    isOver = true;
    const { command } = await session.query('commit');
    if (command !== 'COMMIT') throw transactionFailed();
    return result;
  } catch (error) {
    isOver = true;
    // A session that fails to roll back is dropped, which also rolls back.
    if (!session.isClosed) await session.script('rollback').catch(() => session.destroy());
    throw error;
  }
}

const describeError =
  (settingName: string) =>
  (error: Error): never => {
    if (error.message.includes('unsupported startup parameter')) throw new Error(POOLER_ERROR);
    throw error instanceof DatabaseUnavailable ? new Error(`${settingName} cannot be used. ${error.message}`) : error;
  };

const isStalePlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
