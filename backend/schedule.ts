import type { Logger } from 'pino';
import type { Database } from './database/database.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Does something every hour, beside the requests; what fails is logged and done again an hour later.
 * @param complaint what the log says when it fails
 * @param atOnce do it now as well
 * @returns a function that stops it and waits for what runs
 */
export function everyHour(
  work: () => Promise<unknown>,
  { log, complaint, atOnce = false }: { log: Logger; complaint: string; atOnce?: boolean },
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const start = () => {
    running = work().catch((err: unknown) => log.warn({ err }, complaint));
  };
  if (atOnce) start();
  const timer = setInterval(start, HOUR_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/**
 * Runs statements one after the other. What one of them refuses does not keep the others from their work.
 * @throws AggregateError of what was refused
 */
export async function runEach(db: Database, statements: readonly string[]): Promise<void> {
  const refused: unknown[] = [];
  for (const text of statements) await db.query(text).catch((error: unknown) => refused.push(error));
  if (refused.length) throw new AggregateError(refused, 'some of what is old could not be removed');
}
