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

/** For whom the database works: their statements share one place in the line, and their time is counted. */
export interface Asker {
  /** The visitor's, as the front door saw it. */
  address: string;
  /** Refused when the time of the address is used up; else it is only counted. */
  limited: boolean;
  /** Known before as costly: gives way to others from the start. */
  heavy: boolean;
}

export interface BatchOptions {
  /** Nobody in particular, the house itself, unless told. */
  asker?: Asker | undefined;
  readOnly?: boolean;
  /** Goes on when there is hardly any room left on the disk, for what makes room or leads to it (see `essentialWrites`). */
  essential?: boolean;
  /** Whole batch, milliseconds; 30 s unless told. Past it the batch is cancelled. */
  timeoutMs?: number;
}

export interface TransactionOptions extends BatchOptions {
  /** Statements that are sent together with `begin`: one message instead of several. */
  first?: readonly Statement[];
  /** Past a pooler, if there is one: the work may leave behind what the next transaction must not find. */
  direct?: boolean;
}

/** How busy the database is with what this process asks of it. */
export interface DatabaseLoad {
  sessions: { inUse: number; waiting: number };
  /** Since the connection that hears notifications last answered, milliseconds; null where none is needed. */
  listenerAgeMs: number | null;
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
   * @param away told when nothing is heard any more, at the latest a second and a half after the last sign of life, until
   * that empty payload. The embedded engine tells nobody: while it is away, nobody can write.
   */
  listen(channel: string, heard: (payload: string) => void, away?: () => void): Promise<void>;
  /** Resolves when every notification of what was committed before has been heard, or those who listen know better. */
  caughtUp(): Promise<void>;
  readonly load: DatabaseLoad;
  /**
   * Waits until no other process that uses this database is alone with it, and is from then on until what it returns is
   * called or the process ends. The embedded engine's never has company.
   */
  beAlone(): Promise<() => Promise<void>>;
  /** True once any statement met damaged data, as a page that fails its checksum; until the process ends. */
  readonly damaged: boolean;
  /** Embedded only: the folder it lives in. */
  readonly folder?: string;
  /**
   * Embedded only: copies the folder as it is after a checkpoint; others wait only while what changed meanwhile is copied
   * again. The copy opens like the original. It is forced to disk unless it is told not to be durable.
   */
  copyFolder?(to: string, options?: { durable?: boolean }): Promise<void>;
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

/** The SQLSTATEs of damaged data and of a damaged index. */
export const isDamage = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === 'XX001' || error.code === 'XX002');
/** A statement that took too long and would not be cancelled: the engine was replaced with it. */
export class EngineReplaced extends DatabaseError {}

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
    listen: (channel, heard, away) => db.listen(channel, heard, away),
    caughtUp: () => db.caughtUp(),
    get load() {
      return db.load;
    },
    beAlone: () => db.beAlone(),
    get damaged() {
      return db.damaged;
    },
    close: () => db.close(),
  };
}

/** The engine is away, restarting, or the queue in front of it is full: answered 503 with Retry-After. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** The database time limit of this address is reached: status 429, with Retry-After where the wait is known. */
export class DatabaseTimeUsed extends DatabaseUnavailable {
  /** Until it may ask again. */
  readonly seconds: number;
  constructor(seconds: number) {
    super(`Database time limit of this address reached; retry in ${seconds} s`);
    this.seconds = seconds;
  }
}
