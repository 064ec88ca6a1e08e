import { DatabaseError, DatabaseUnavailable, type Transaction, type TransactionOptions } from '../database.ts';
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
    const result = await withDeadline(work(tx), timeoutMs);
    isOver = true;
    const { command } = await session.query('commit');
    if (command !== 'COMMIT')
      throw new DatabaseError({
        code: '25P02',
        message: 'A statement of the transaction failed, so it was rolled back',
      });
    return result;
  } catch (error) {
    isOver = true;
    // Dropping a session that cannot roll back does so.
    if (!session.isClosed) await session.script('rollback').catch(() => session.destroy());
    throw error;
  }
}

async function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = new DatabaseError({ code: '57014', message: 'canceling transaction due to its time limit' });
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
