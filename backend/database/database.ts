/** What the rest of the backend knows of its database, whichever engine answers. */

/** A bound parameter. Objects and arrays of objects become `jsonb`; never hand over text that is already JSON for a jsonb parameter. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | Date
  | readonly Value[]
  | { readonly [key: string]: unknown };

export interface Statement {
  text: string;
  values?: readonly Value[];
}

/**
 * `rows` as JavaScript objects: int8 as number, timestamptz as Date, bytea as Uint8Array, json parsed, arrays of these
 * as arrays. Everything else is PostgreSQL's text, numeric ('12.50') and date ('2026-11-21') too. `affected` counts rows written.
 */
export interface Result<Row = Record<string, unknown>> {
  rows: Row[];
  affected: number;
}

export interface Connection {
  /** One parameterised statement. @throws DatabaseError with the SQLSTATE, DatabaseUnavailable when the engine cannot be reached. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly Value[]): Promise<Result<Row>>;
}

/** What a transaction's work is given. */
export interface Transaction extends Connection {
  /** Several statements without parameters, as in a migration file, inside the transaction. */
  script(sql: string): Promise<void>;
}

export interface BatchOptions {
  readOnly?: boolean;
  /** Goes on when there is hardly any room left on the disk, for what makes room or leads to it (see `essentialWrites`). */
  essential?: boolean;
  /** Whole batch, milliseconds; 30 s unless told. Past it the batch is cancelled (PostgreSQL) or the engine is restarted (embedded). */
  timeoutMs?: number;
}

export interface TransactionOptions extends BatchOptions {
  /** Statements that are sent together with `begin`: one message instead of several. */
  first?: readonly Statement[];
}

export interface Database extends Connection {
  readonly engine: 'pglite' | 'postgres';
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. Keep it short and free of I/O. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs all statements in one transaction and, embedded, in one message to the engine. Answers one result per statement. */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<Result[]>;
  /** Several statements without parameters, as in a migration file. Runs outside any transaction of ours. */
  script(sql: string, options?: Pick<BatchOptions, 'timeoutMs'>): Promise<void>;
  /**
   * Hears NOTIFY on a channel for as long as the database is open. When engine or connection were away, `heard` is
   * called once with an empty payload: something may have been missed.
   */
  listen(channel: string, heard: (payload: string) => void): Promise<void>;
  /** Embedded only: the folder it lives in. */
  readonly folder?: string;
  /** Embedded only: copies the folder after a checkpoint, while nothing runs. The copy opens like the original. */
  copyFolder?(to: string): Promise<void>;
  /** Finishes what runs and what waits, writes a checkpoint and lets go of the folder. */
  close(): Promise<void>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

export const listenStatement = (channel: string) => `listen ${quoteName(channel)}`;

/** A refusal by PostgreSQL. `code` is the SQLSTATE. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;
  constructor(fields: {
    code: string;
    message: string;
    detail?: string | null;
    hint?: string | null;
    constraint?: string | null;
  }) {
    super(fields.message);
    this.code = fields.code;
    this.detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.constraint = fields.constraint ?? null;
  }
}

/** SQLSTATE disk_full: from a server whose disk is full, and from us before the embedded one's is. */
export const DISK_FULL = '53100';

/** True when the outcome is not known: the engine was ended (57014) or broke (XX000), perhaps while it was committing. */
export const mayHaveCommitted = ({ code }: DatabaseError): boolean => code === '57014' || code === 'XX000';

/**
 * The same database for writes that go on when others are refused for want of room: whoever is to make some has to get in.
 * Only the embedded one refuses; another server's disk is not ours to look at.
 */
export function essentialWrites(db: Database): Database {
  if (db.engine === 'postgres') return db;
  const essential = { essential: true };
  return {
    engine: db.engine,
    query: async <Row>(text: string, values?: readonly Value[]) =>
      (await db.batch([{ text, ...(values ? { values } : {}) }], essential))[0] as Result<Row>,
    transaction: (work, options) => db.transaction(work, { ...options, ...essential }),
    batch: (statements, options) => db.batch(statements, { ...options, ...essential }),
    script: (sql, options) => db.script(sql, options),
    listen: (channel, heard) => db.listen(channel, heard),
    close: () => db.close(),
  };
}

/** The engine is away, restarting, or the queue in front of it is full: answered 503 with Retry-After. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
