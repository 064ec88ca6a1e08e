import { type DiskSpace, NO_ROOM } from '../data-dir/disk-space.ts';
import type { BatchOptions, Database, Result, Value } from './database.ts';
import { DatabaseError, DISK_FULL, withOverrides } from './database.ts';

export type WriteGuard = { disk: DiskSpace; isEnforced: () => boolean };

const READ_ONLY_TRANSACTION = '25006';

/** The engine does not survive a full disk during a log write, so writes fail with 53100 below the reserve (D7). */
export function guardWrites(db: Database, { disk, isEnforced }: WriteGuard): Database {
  const hasSpace = async ({ essential }: BatchOptions = {}) =>
    !isEnforced() || disk.has(essential ? 'essentials' : 'data');
  const toDiskFull = (error: unknown): never => {
    throw error instanceof DatabaseError && error.code === READ_ONLY_TRANSACTION ? diskFullError() : error;
  };
  const guarded = async <T, O extends BatchOptions>(options: O, run: (allowed: O) => Promise<T>): Promise<T> => {
    if (options.readOnly || (await hasSpace(options))) return run(options);
    return run({ ...options, readOnly: true }).catch(toDiskFull);
  };
  return withOverrides(db, {
    async query<Row>(text: string, values?: readonly Value[]): Promise<Result<Row>> {
      if (await hasSpace()) return db.query<Row>(text, values);
      const [result] = await db.batch([{ text, ...(values && { values }) }], { readOnly: true }).catch(toDiskFull);
      return result as Result<Row>;
    },
    batch: (statements, options = {}) => guarded(options, (allowed) => db.batch(statements, allowed)),
    transaction: (work, options = {}) => guarded(options, (allowed) => db.transaction(work, allowed)),
    async script(sql, options) {
      if (!(await hasSpace())) throw diskFullError();
      await db.script(sql, options);
    },
  });
}

const diskFullError = () => new DatabaseError({ code: DISK_FULL, message: NO_ROOM });
