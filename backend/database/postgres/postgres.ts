import type { Logger } from 'pino';
import type { DatabaseChoice } from '../../../config.ts';
import {
  type BatchOptions,
  type Database,
  DatabaseError,
  type DatabaseLoad,
  DatabaseUnavailable,
  DEFAULT_TIMEOUT_MS,
  isDamage,
  type Result,
  type Statement,
  type Transaction,
  type TransactionOptions,
  type Value,
} from '../database.ts';
import type { OpenOptions } from '../open-database.ts';
import { StatementQueue } from '../statement-queue.ts';
import { PostgresListener } from './listener.ts';
import { PostgresServers } from './servers.ts';
import type { PostgresSession } from './session.ts';
import { transact } from './transact.ts';

const SESSIONS = 10;
const OLDEST_SERVER = 150_000;
/** Extra time beyond the work's timeout before a silent server is given up. */
const GRACE_MS = 1_000;
/** Serialises first starts and migrations of several servers. */
const START_LOCK = '7205759403792796';
/** Ends the session, and its lock, when a machine has been unreachable for half a minute. */
const KEPT_ALIVE =
  'set statement_timeout = 0; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4';
const POOLED =
  'DATABASE_URL names a pooler in transaction mode. Set DATABASE_DIRECT_URL to the PostgreSQL server behind it.';

type PostgresChoice = Extract<DatabaseChoice, { kind: 'postgres' }>;

/** @throws Error with a message for the operator when the server is unusable */
export async function openPostgres(choice: PostgresChoice, options: OpenOptions): Promise<Database> {
  const database = new PostgresDatabase(choice, options);
  try {
    await database.look();
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
  readonly #turns: StatementQueue;
  readonly #idle: PostgresSession[] = [];
  readonly #busy = new Set<PostgresSession>();
  readonly #holding = new Set<PostgresSession>();
  readonly #listener: PostgresListener;
  #closed: Promise<void> | null = null;
  damaged = false;

  constructor({ url, directUrl = url, sessions = SESSIONS }: PostgresChoice, options: OpenOptions) {
    this.#pooled = directUrl !== url;
    this.#servers = new PostgresServers(url, { pooled: this.#pooled });
    this.#direct = this.#pooled ? new PostgresServers(directUrl, { called: 'DATABASE_DIRECT_URL' }) : this.#servers;
    this.#log = options.log;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#turns = new StatementQueue({
      sessions: options.sessions ?? sessions - 1,
      waiting: options.waiting,
      waitMs: options.waitMs,
    });
    this.#listener = new PostgresListener(this.#direct, {
      timeoutMs: this.#timeoutMs,
      log: options.log,
      unanswered: (since) => this.#giveUp(since),
    });
  }

  async look(): Promise<void> {
    const { rows } = await this.query<{ number: number; version: string; keeps: boolean }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
              current_setting('idle_in_transaction_session_timeout') = '10min' as keeps`,
    ).catch(inWords('DATABASE_URL'));
    const { number, version, keeps } = rows[0]!;
    if (number < OLDEST_SERVER) throw new Error(`DATABASE_URL names a PostgreSQL ${version}; it must be 15 or newer.`);
    if (!keeps) throw new Error(POOLED);
    if (this.#pooled)
      await this.#direct
        .open({ timeoutMs: this.#timeoutMs })
        .then((session) => session.close())
        .catch(inWords('DATABASE_DIRECT_URL'));
  }

  async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
    if (this.#pooled) return (await this.batch([{ text, ...(values ? { values } : {}) }]))[0] as Result<Row>;
    return this.#withFreshPlans((session) => session.query<Row>(text, values), this.#timeoutMs);
  }

  async script(sql: string, options: Pick<BatchOptions, 'timeoutMs'> = {}): Promise<void> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    await this.#withSession(
      async (session) => {
        try {
          await session.script(`set statement_timeout = ${Math.ceil(timeoutMs)}`);
          await session.script(sql);
        } finally {
          // A script may leave anything behind: a setting, a role, an open transaction.
          await session.close();
        }
      },
      timeoutMs,
      { direct: true },
    );
  }

  batch(statements: readonly Statement[], options: BatchOptions = {}): Promise<Result[]> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    return this.#withFreshPlans(
      async (session) => {
        // Pipelined: after an error the server rejects the rest, and turns the commit into a rollback.
        const [begun, ...answers] = await Promise.allSettled([
          session.begin(options.readOnly, timeoutMs),
          ...statements.map(({ text, values }) => session.query(text, values)),
          session.query('commit'),
        ]);
        const refused = [begun, ...answers].find((answer) => answer.status === 'rejected');
        if (refused) throw refused.reason;
        const results = answers.map((answer) => (answer as PromiseFulfilledResult<Result & { command: string }>).value);
        if (results.pop()?.command !== 'COMMIT')
          throw new DatabaseError({ code: '25P02', message: 'The transaction was rolled back' });
        return results;
      },
      timeoutMs,
      options,
    );
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    return this.#withSession((session) => transact(session, work, options, timeoutMs), timeoutMs, options);
  }

  listen(channel: string, heard: (payload: string) => void, away?: () => void): Promise<void> {
    return this.#listener.listen(channel, heard, away);
  }

  caughtUp(): Promise<void> {
    return this.#listener.caughtUp();
  }

  get load(): DatabaseLoad {
    const { inUse, waiting } = this.#turns;
    return { sessions: { inUse, waiting }, listenerAgeMs: this.#listener.ageMs };
  }

  async beAlone(): Promise<() => Promise<void>> {
    const session = await this.#direct.open({ timeoutMs: this.#timeoutMs });
    this.#holding.add(session);
    await session.script(KEPT_ALIVE);
    const { rows } = await session.query<{ held: boolean }>(`select pg_try_advisory_lock(${START_LOCK}) as held`);
    if (!rows[0]!.held) {
      this.#log.info('waiting for another process to prepare the database');
      await session.query(`select pg_advisory_lock(${START_LOCK})`);
    }
    return async () => {
      this.#holding.delete(session);
      await session.close();
    };
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#turns.close();
      const sessions = [...this.#idle, ...this.#holding];
      await Promise.all([this.#listener.close(), ...sessions.map((session) => session.close())]);
    })();
    return this.#closed;
  }

  /** For work in a single message: a plan outdated by a migration rejects all of it, so it can be repeated. */
  async #withFreshPlans<T>(
    work: (session: PostgresSession) => Promise<T>,
    timeoutMs: number,
    options: BatchOptions = {},
  ): Promise<T> {
    try {
      return await this.#withSession(work, timeoutMs, options);
    } catch (error) {
      if (!isOldPlan(error)) throw error;
      return this.#withSession(work, timeoutMs, options);
    }
  }

  #withSession<T>(
    work: (session: PostgresSession) => Promise<T>,
    timeoutMs: number,
    { asker, readOnly, direct = false }: TransactionOptions = {},
  ): Promise<T> {
    const aside = direct && this.#pooled;
    return this.#turns.run(
      async () => {
        const session = aside ? await this.#direct.open({ timeoutMs }) : await this.#takeSession();
        this.#busy.add(session);
        try {
          return await session.inTime(work(session), timeoutMs + GRACE_MS);
        } catch (error) {
          this.damaged ||= isDamage(error);
          if (isOldPlan(error)) for (const old of [session, ...this.#idle.splice(0)]) old.destroy();
          if (readOnly || !(error instanceof DatabaseError) || error.code !== '25006') throw error;
          session.destroy();
          throw new DatabaseUnavailable('The database server no longer accepts writes');
        } finally {
          this.#busy.delete(session);
          if (aside || session.isWornOut) await session.close();
          if (!session.gone) this.#idle.push(session);
        }
      },
      { asker },
    );
  }

  /**
   * Drops sessions of a server silent since then: calls need not wait for a timeout. A pooler's silence proves nothing.
   */
  #giveUp(since: number): void {
    if (this.#pooled) return;
    for (const session of [...this.#busy, ...this.#idle]) {
      const { isSilent, heardAt } = session.server;
      if (isSilent && heardAt < since) session.destroy();
    }
  }

  async #takeSession(): Promise<PostgresSession> {
    for (let session = this.#idle.pop(); session; session = this.#idle.pop()) if (!session.gone) return session;
    return this.#servers.open({ timeoutMs: this.#timeoutMs });
  }
}

const inWords =
  (called: string) =>
  (error: Error): never => {
    if (error.message.includes('unsupported startup parameter')) throw new Error(POOLED);
    throw error instanceof DatabaseUnavailable ? new Error(`${called} cannot be used. ${error.message}`) : error;
  };

const isOldPlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
