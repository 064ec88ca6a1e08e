import { type DiskSpace, NO_ROOM } from '../disk-space.ts';
import {
  type BatchOptions,
  type Database,
  DatabaseError,
  DISK_FULL,
  type Result,
  type Statement,
  type Transaction,
  type TransactionOptions,
  type Value,
} from './database.ts';

export interface Room {
  disk: DiskSpace;
  refuses: () => boolean;
}

const READ_ONLY_TRANSACTION = '25006';

/** A disk that fills up during a log write ends the engine: below the reserve, writes fail with 53100 (D7). */
export function whileThereIsRoom(db: Database, { disk, refuses }: Room): Database {
  const hasRoom = async ({ essential }: BatchOptions = {}) => !refuses() || disk.has(essential ? 'essentials' : 'data');
  const refused = (error: unknown): never => {
    throw error instanceof DatabaseError && error.code === READ_ONLY_TRANSACTION ? noRoom() : error;
  };
  const watched = {
    async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
      if (await hasRoom()) return db.query<Row>(text, values);
      const [result] = await db.batch([{ text, ...(values && { values }) }], { readOnly: true }).catch(refused);
      return result as Result<Row>;
    },
    async batch(statements: readonly Statement[], options: BatchOptions = {}): Promise<Result[]> {
      if (options.readOnly || (await hasRoom(options))) return db.batch(statements, options);
      return db.batch(statements, { ...options, readOnly: true }).catch(refused);
    },
    async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
      if (options.readOnly || (await hasRoom(options))) return db.transaction(work, options);
      return db.transaction(work, { ...options, readOnly: true }).catch(refused);
    },
    async script(sql: string, options?: Pick<BatchOptions, 'timeoutMs'>): Promise<void> {
      if (!(await hasRoom())) throw noRoom();
      await db.script(sql, options);
    },
  };
  return new Proxy(db, {
    get(target, name) {
      const found: unknown = Reflect.get(name in watched ? watched : target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

const noRoom = () => new DatabaseError({ code: DISK_FULL, message: NO_ROOM });
