/** A bound parameter. Objects and arrays of objects become `jsonb`: never pass JSON text for a jsonb parameter. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | Date
  | readonly Value[]
  | { readonly [key: string]: unknown };

export type Statement = { text: string; values?: readonly Value[] };

/**
 * int8 as number, timestamptz as Date, bytea as Uint8Array, json parsed, arrays of these as arrays. All else is text,
 * also numeric ('12.50') and date ('2026-11-21'). `affected` counts rows written.
 */
export type Result<Row = Record<string, unknown>> = { rows: Row[]; affected: number };

export interface Connection {
  /** @throws DatabaseError with the SQLSTATE, DatabaseUnavailable when the engine is unreachable */
  query<Row = Record<string, unknown>>(text: string, values?: readonly Value[]): Promise<Result<Row>>;
}

export interface Transaction extends Connection {
  script(sql: string): Promise<void>;
}

/** Whose time budget pays for a statement. */
export type QueryClient = { address: string; limited: boolean; heavy: boolean };

export interface BatchOptions {
  client?: QueryClient | undefined;
  readOnly?: boolean;
  /** Allowed on a nearly full disk (see `allowEssentialWrites`). */
  essential?: boolean;
  /** Of the whole batch, 30 s by default. */
  timeoutMs?: number;
}

export interface TransactionOptions extends BatchOptions {
  setupStatements?: readonly Statement[];
  /** Bypasses a pooler: the work may leave session state behind. */
  direct?: boolean;
}

export interface Database extends Connection, AsyncDisposable {
  readonly engine: 'pglite' | 'postgres';
  /** Commits when `work` resolves, rolls back when it throws. Keep it short and free of I/O. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** One transaction and, embedded, one message to the engine. */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<Result[]>;
  script(sql: string, options?: Pick<BatchOptions, 'timeoutMs'>): Promise<void>;
  /**
   * After an outage the listener gets one empty payload, since notifications may be lost.
   * @param onLost called at most 1.5 s after the connection is lost; never embedded
   */
  listen(channel: string, onNotify: (payload: string) => void, onLost?: () => void): Promise<void>;
  /** Resolves when all notifications of earlier commits have been delivered, or `onLost` was called. */
  waitForNotifications(): Promise<void>;
  /** `listenerAgeMs`: milliseconds since the LISTEN connection last responded; null where none is needed. */
  readonly load: { sessions: { inUse: number; waiting: number }; listenerAgeMs: number | null };
  /** Exclusive lock among all processes on this database, until the returned function is called or the process ends. */
  acquireStartLock(): Promise<() => Promise<void>>;
  /** True once a statement has found damaged data, such as a failed page checksum. */
  readonly isDamaged: boolean;
  readonly folder?: string;
  /** Embedded only: writes wait only while changed files are copied again. Forced to disk unless `durable` is false. */
  copyFolder?(to: string, options?: { durable?: boolean }): Promise<void>;
  close(): Promise<void>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

export const listenStatement = (channel: string) => `listen ${quoteName(channel)}`;

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;
  constructor(fields: { code: string; message: string } & { [K in 'detail' | 'hint' | 'constraint']?: string | null }) {
    super(fields.message);
    this.code = fields.code;
    this.detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.constraint = fields.constraint ?? null;
  }
}

export const transactionTimedOut = () =>
  new DatabaseError({ code: '57014', message: 'canceling transaction due to its time limit' });

export const transactionFailed = () =>
  new DatabaseError({ code: '25P02', message: 'A statement of the transaction failed, so it was rolled back' });

/** SQLSTATEs data_corrupted and index_corrupted. */
export const isCorruption = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === 'XX001' || error.code === 'XX002');
/** A statement timed out and ignored its cancellation, so the engine was restarted. */
export class EngineRestarted extends DatabaseError {}

/** SQLSTATE disk_full: from a server with a full disk, and from the write guard of the embedded database. */
export const DISK_FULL = '53100';

/** True when the outcome is unknown: the engine was restarted (57014) or failed (XX000), perhaps during commit. */
export const mayHaveCommitted = ({ code }: DatabaseError): boolean => code === '57014' || code === 'XX000';

/** For writes that free space on a nearly full disk. Only the embedded database rejects others. */
export function allowEssentialWrites(db: Database): Database {
  if (db.engine === 'postgres') return db;
  const essential = { essential: true };
  return withOverrides(db, {
    query: async <Row>(text: string, values?: readonly Value[]) =>
      (await db.batch([{ text, ...(values ? { values } : {}) }], essential))[0] as Result<Row>,
    transaction: (work, options) => db.transaction(work, { ...options, ...essential }),
    batch: (statements, options) => db.batch(statements, { ...options, ...essential }),
  });
}

/** The database with some methods replaced; the others keep their private state. */
export const withOverrides = (db: Database, overrides: Partial<Database>): Database =>
  new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(name in overrides ? overrides : target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** The database time of this address is used up: status 429, with Retry-After where the wait is known. */
export class DatabaseTimeExceeded extends DatabaseUnavailable {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`Database time limit of this address reached; retry in ${seconds} s`);
    this.seconds = seconds;
  }
}

/** The first row; null when there is none. */
export const findRow = async <Row>(db: Connection, text: string, values?: readonly Value[]): Promise<Row | null> =>
  (await db.query<Row>(text, values)).rows[0] ?? null;

export const hasRow = async (db: Connection, text: string, values?: readonly Value[]): Promise<boolean> =>
  (await findRow(db, text, values)) !== null;

/** Functions of the product are missing in other projects. @param signature such as `private.purge_trash()` */
export const hasFunction = (db: Connection, signature: string): Promise<boolean> =>
  hasRow(db, 'select where to_regprocedure($1) is not null', [signature]);

export function withTimeout<T>(work: Promise<T>, timeoutMs: number, timeoutError: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timeoutError()), timeoutMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
