import { DatabaseError, DatabaseUnavailable, type Transaction, type TransactionOptions } from '../database.ts';
import type { PostgresSession } from './session.ts';

/** @param timeoutMs per statement and in all @throws any error of `work`; DatabaseError 57014 on timeout */
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
    // Dropping a session that cannot roll back does so.
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
