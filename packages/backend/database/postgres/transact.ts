import {
  DatabaseUnavailable,
  type Transaction,
  type TransactionOptions,
  transactionFailed,
  transactionTimedOut,
  withTimeout,
} from '../database.ts';
import type { PostgresSession } from './session.ts';

/** @param timeoutMs per statement and in all @throws any error of `work`; DatabaseError 57014 on timeout */
export async function transact<T>(
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
    // Dropping a session that cannot roll back does so.
    if (!session.isClosed) await session.script('rollback').catch(() => session.destroy());
    throw error;
  }
}
