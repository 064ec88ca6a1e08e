import { DatabaseError, DatabaseUnavailable, type Transaction, type TransactionOptions } from '../database.ts';
import type { PostgresSession } from './session.ts';

/**
 * Runs `work` as one transaction of the session, and rolls back when it fails.
 * @param timeoutMs for each statement, and for all of it
 * @throws whatever `work` throws; DatabaseError 57014 when it takes too long
 */
export async function transact<T>(
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
    const sent = [session.begin(options.readOnly, timeoutMs)];
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

async function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const error = new DatabaseError({ code: '57014', message: 'canceling transaction due to its time limit' });
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}
