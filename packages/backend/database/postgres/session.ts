import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import { setDatabaseTime } from '../clock.ts';
import { DatabaseError, DatabaseUnavailable, type Result, type Value, withTimeout } from '../database.ts';
import { parsedOids, readValue, writeValue } from '../values.ts';

export type PostgresServer = { url: string; respondedAt: number; isSilent: boolean };

export interface SessionSettings {
  server: PostgresServer;
  timeoutMs: number;
  /** Pooler in transaction mode: settings and prepared statements must end with the transaction. */
  pooled: boolean;
  onNotify?: (channel: string, payload: string) => void;
  onClose?: () => void;
}

type SocketRequest = { host: string[]; port: number[]; path: string | false };

const CONNECT_MS = 3_000;
/** The server uses some 30 kB for each prepared statement of a session. */
const MAX_PREPARED = 200;
const MAX_AGE_MS = 3_600_000;
const SETTINGS = {
  search_path: 'public,extensions',
  TimeZone: 'UTC',
  // Limits how long a hung process holds the locks of an idle transaction.
  idle_in_transaction_session_timeout: 600_000,
};
const SET_LOCAL = Object.entries(SETTINGS)
  .map(([name, value]) => `;set local ${name}=${value}`)
  .join('');
const WRITTEN_OIDS = [17, 16, 20, 21, 23, 25, 26, 114, 700, 701, 1082, 1114, 1184, 3802];

/** Encoded when the server has described the type that the statement expects. */
class Parameter {
  readonly value: Exclude<Value, null>;
  constructor(value: Exclude<Value, null>) {
    this.value = value;
  }
  toString(): string {
    return writeValue(this.value, 0);
  }
}

const types = Object.fromEntries(
  [...new Set([...parsedOids, ...WRITTEN_OIDS])].map((oid) => [
    `oid${oid}`,
    {
      to: oid,
      from: [oid],
      serialize: (parameter: Parameter) => writeValue(parameter.value, oid),
      parse: (text: string) => readValue(text, oid),
    },
  ]),
);

/** One connection, one caller at a time. Never reconnects: the caller's role and transaction would be lost. */
export class PostgresSession {
  readonly #sql: postgres.Sql;
  readonly #settings: SessionSettings;
  readonly server: PostgresServer;
  #socket: Socket | null = null;
  readonly #pendingRejects = new Set<(error: Error) => void>();
  #hasConnected = false;
  readonly #prepared = new Set<string>();
  readonly #openedAt = performance.now();
  isClosed = false;

  constructor(settings: SessionSettings) {
    this.#settings = settings;
    this.server = settings.server;
    this.#sql = postgres(settings.server.url, {
      max: 1,
      fetch_types: false,
      idle_timeout: 0,
      connect_timeout: CONNECT_MS / 1_000,
      max_lifetime: null,
      types,
      socket: (request: SocketRequest) => this.#connect(request),
      onnotice: () => {},
      onnotify: settings.onNotify,
      connection: {
        application_name: 'madhouse',
        ...(settings.pooled ? {} : { ...SETTINGS, statement_timeout: settings.timeoutMs }),
      },
    } as postgres.Options<Record<string, postgres.PostgresType>>);
  }

  begin(readOnly: boolean | undefined, timeoutMs: number): Promise<void> {
    const settings = this.#settings.pooled ? SET_LOCAL : '';
    const mode = readOnly ? ' read only' : '';
    return this.script(`begin${mode};set local statement_timeout=${Math.ceil(timeoutMs)}${settings}`);
  }

  get isWornOut(): boolean {
    return this.#prepared.size >= MAX_PREPARED || performance.now() - this.#openedAt > MAX_AGE_MS;
  }

  /** Like libpq's `target_session_attrs=read-write`. The argument names the purpose in `pg_stat_activity`. */
  async acceptsWrites(purpose = 'to write'): Promise<boolean> {
    const at = Date.now();
    const { rows } = await this.query<{ accepts: boolean; time: number }>(
      `select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as accepts,
              extract(epoch from clock_timestamp())::float8 * 1000 as time /* ${purpose} */`,
    );
    const { accepts, time } = rows[0]!;
    if (accepts) setDatabaseTime(time, at);
    return accepts;
  }

  async query<Row>(text: string, values: readonly Value[] = []): Promise<Result<Row> & { command: string }> {
    if (text.includes('\0')) throw new DatabaseError({ code: '22021', message: 'SQL text holds a zero byte' });
    const parameters = values.map((value) =>
      value === null || value === undefined ? null : this.#sql.typed(new Parameter(value) as never, 0),
    );
    const prepare = !this.#settings.pooled && (this.#prepared.has(text) || this.#prepared.size < MAX_PREPARED);
    if (prepare) this.#prepared.add(text);
    const options = { prepare, simple: false } as postgres.UnsafeQueryOptions;
    const rows = await this.#run(preventResend(this.#sql.unsafe(text, parameters as never[], options)));
    return { rows: [...rows] as Row[], affected: isWrite(rows.command) ? rows.count : 0, command: rows.command };
  }

  async script(sql: string): Promise<void> {
    await this.#run(this.#sql.unsafe(sql));
  }

  /** Rejects after a timeout and drops the connection, because the server does not respond. */
  async withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    return withTimeout(work, timeoutMs, () => {
      this.server.isSilent = true;
      this.destroy();
      return new DatabaseUnavailable('The database server does not respond');
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.#sql.end({ timeout: 2 });
  }

  destroy(): void {
    this.isClosed = true;
    this.#socket?.destroy();
    for (const rejectCall of this.#pendingRejects) rejectCall(connectionLost());
    void this.#sql.end({ timeout: 0 });
  }

  async #run(query: postgres.PendingQuery<postgres.Row[]>): Promise<postgres.RowList<postgres.Row[]>> {
    if (this.isClosed) throw connectionLost();
    const { promise, resolve, reject } = Promise.withResolvers<postgres.RowList<postgres.Row[]>>();
    // On disconnect, the driver silently drops queries that it had not sent yet.
    this.#pendingRejects.add(reject);
    try {
      query.then(resolve, reject);
      const rows = await promise;
      this.#markResponsive();
      return rows;
    } catch (error) {
      if (error instanceof postgres.PostgresError) this.#markResponsive();
      const cause = toDatabaseError(error);
      if (cause instanceof DatabaseUnavailable) this.destroy();
      throw cause;
    } finally {
      this.#pendingRejects.delete(reject);
    }
  }

  #markResponsive = () => Object.assign(this.server, { respondedAt: performance.now(), isSilent: false });

  async #connect({ host, port, path }: SocketRequest): Promise<Socket> {
    if (this.#hasConnected) throw connectionLost();
    this.#hasConnected = true;
    const name = host[0]!;
    const socket = path ? connect(path) : connect(port[0]!, name);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
      socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('The database server cannot be reached')));
    });
    socket.setTimeout(0);
    socket.once('close', () => {
      this.destroy();
      this.#settings.onClose?.();
    });
    this.#socket = socket;
    return Object.assign(socket, { host: name });
  }
}

/**
 * The driver would resend a statement with an outdated plan after later messages, such as a commit, outside its role
 * and transaction. Clearing its `prepared` mark prevents that, and the error reaches the caller.
 */
function preventResend<Query extends object>(query: Query): Query {
  let prepared = false;
  return Object.defineProperty(query, 'prepared', {
    get: () => prepared,
    set(value: boolean) {
      prepared = value;
      if (value) queueMicrotask(() => (prepared = false));
    },
  });
}

const connectionLost = () => new DatabaseUnavailable('The connection to the database was lost');

const isWrite = (command: string) => /^(INSERT|UPDATE|DELETE|MERGE|COPY)$/.test(command);

/** SQLSTATE classes that concern the server, not the statement. */
const SERVER_UNAVAILABLE = /^(080|57P)/;
const TOO_MANY_CONNECTIONS = '53300';

function toDatabaseError(error: unknown): Error {
  if (error instanceof DatabaseUnavailable) return error;
  if (error instanceof postgres.PostgresError) {
    const { code, message, detail, hint, constraint_name: constraint } = error;
    if (code === TOO_MANY_CONNECTIONS)
      return new DatabaseUnavailable(`The database server has no free connection: ${message}`);
    if (SERVER_UNAVAILABLE.test(code)) return new DatabaseUnavailable(`Database unavailable: ${message}`);
    return new DatabaseError({ code, message, detail, hint, constraint });
  }
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (syscall || /^(CONNECT|ECONN|EPIPE|SASL|AUTH|cannot be reached)/i.test(code ?? message))
    return new DatabaseUnavailable(`The database cannot be reached: ${message}`);
  return new DatabaseError({ code: '22023', message: `A parameter cannot be written: ${message}` });
}
