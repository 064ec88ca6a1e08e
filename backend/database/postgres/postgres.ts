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
import type { OpenOptions } from '../open.ts';
import { StatementQueue } from '../statement-queue.ts';
import { PostgresListener } from './listener.ts';
import { PostgresServers } from './servers.ts';
import type { PostgresSession } from './session.ts';

const SESSIONS = 10;
const OLDEST_SERVER = 150_000;

/** Opens a pool of sessions on a PostgreSQL server. @throws Error with a sentence for the operator when it cannot be used */
export async function openPostgres(url: string, options: OpenOptions): Promise<Database> {
  const database = new PostgresDatabase(url, options);
  try {
    const { rows } = await database.query<{ number: number; version: string }>(
      "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
    );
    if (rows[0]!.number < OLDEST_SERVER)
      throw new Error(`DATABASE_URL names a PostgreSQL ${rows[0]!.version}; it must be 15 or newer.`);
  } catch (error) {
    await database.close();
    if (error instanceof DatabaseUnavailable) throw new Error(`DATABASE_URL cannot be used. ${error.message}`);
    throw error;
  }
  return database;
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly #servers: PostgresServers;
  readonly #timeoutMs: number;
  readonly #turns: StatementQueue;
  readonly #idle: PostgresSession[] = [];
  readonly #listener: PostgresListener;
  #closed: Promise<void> | null = null;
  damaged = false;

  constructor(url: string, options: OpenOptions) {
    const servers = new PostgresServers(url);
    this.#servers = servers;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#turns = new StatementQueue({
      sessions: options.sessions ?? SESSIONS,
      waiting: options.waiting,
      waitMs: options.waitMs,
    });
    this.#listener = new PostgresListener(
      {
        get url() {
          return servers.url;
        },
        timeoutMs: this.#timeoutMs,
      },
      options.log,
    );
  }

  query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
    return this.#withSession((session) => session.query<Row>(text, values), this.#timeoutMs);
  }

  async script(sql: string, options: Pick<BatchOptions, 'timeoutMs'> = {}): Promise<void> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    await this.#withSession(async (session) => {
      try {
        await session.script(`set statement_timeout = ${Math.ceil(timeoutMs)}`);
        await session.script(sql);
      } finally {
        // A script may leave anything behind: a setting, a role, an open transaction.
        await session.close();
      }
    }, timeoutMs);
  }

  batch(statements: readonly Statement[], options: BatchOptions = {}): Promise<Result[]> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    return this.#withSession(
      async (session) => {
        // All are sent at once; after a refusal the server refuses the rest, and makes the commit a rollback.
        const [begun, ...answers] = await Promise.allSettled([
          session.script(beginning(options.readOnly, timeoutMs)),
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

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#turns.close();
      await Promise.all([this.#listener.close(), ...this.#idle.map((session) => session.close())]);
    })();
    return this.#closed;
  }

  #withSession<T>(
    work: (session: PostgresSession) => Promise<T>,
    timeoutMs: number,
    { asker, readOnly }: BatchOptions = {},
  ): Promise<T> {
    return this.#turns.run(
      async () => {
        const session = await this.#takeSession();
        try {
          return await session.inTime(work(session), timeoutMs);
        } catch (error) {
          this.damaged ||= isDamage(error);
          if (readOnly || !(error instanceof DatabaseError) || error.code !== '25006') throw error;
          // Another server has its part now: the next session looks for that one.
          session.destroy();
          throw new DatabaseUnavailable('The database server takes no writes any more');
        } finally {
          if (session.isWornOut) await session.close();
          if (!session.gone) this.#idle.push(session);
        }
      },
      { asker },
    );
  }

  async #takeSession(): Promise<PostgresSession> {
    for (let session = this.#idle.pop(); session; session = this.#idle.pop()) if (!session.gone) return session;
    return this.#servers.open({ timeoutMs: this.#timeoutMs });
  }
}

async function transact<T>(
  session: PostgresSession,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  timeoutMs: number,
): Promise<T> {
  let over = false;
  const inside = <R>(act: () => Promise<R>): Promise<R> =>
    over ? Promise.reject(new DatabaseUnavailable('The transaction is over')) : act();
  const tx: Transaction = {
    query: (text, values) => inside(() => session.query(text, values)),
    script: (sql) => inside(() => session.script(sql)),
  };
  try {
    const sent = [session.script(beginning(options.readOnly, timeoutMs))];
    for (const { text, values } of options.first ?? []) sent.push(session.query(text, values).then(() => {}));
    const refused = (await Promise.allSettled(sent)).find((answer) => answer.status === 'rejected');
    if (refused) throw refused.reason;
    const result = await withDeadline(work(tx), timeoutMs);
    over = true;
    const { command } = await session.query('commit');
    if (command !== 'COMMIT')
      throw new DatabaseError({
        code: '25P02',
        message: 'A statement of the transaction failed, so it was rolled back',
      });
    return result;
  } catch (error) {
    over = true;
    // A session that cannot roll back is given up, which does.
    if (!session.gone) await session.script('rollback').catch(() => session.destroy());
    throw error;
  }
}

const beginning = (readOnly: boolean | undefined, timeoutMs: number) =>
  `begin${readOnly ? ' read only' : ''};set local statement_timeout=${Math.ceil(timeoutMs)}`;

async function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const error = new DatabaseError({ code: '57014', message: 'canceling transaction due to its time limit' });
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}
