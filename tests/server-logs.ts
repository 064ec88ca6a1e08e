import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';

export const SERVER_LOGS = join('node_modules', '.cache', 'server-logs');
const VARIABLE = 'MADHOUSE_TEST_SERVER_LOG';

/** The file with the output of the servers of a test file. @param testFile its path from the root */
export const serverLogOf = (testFile: string): string => join(SERVER_LOGS, `${testFile.replaceAll('/', '-')}.log`);

/** From now on, what servers of this process print goes to the file of that test file. */
export function logServersTo(testFile: string): void {
  mkdirSync(SERVER_LOGS, { recursive: true });
  process.env[VARIABLE] = serverLogOf(testFile);
}

/** Keeps what a server printed; nothing outside of a test file, such as while the shared data is seeded. */
export function keepServerOutput(chunk: string | Buffer): void {
  const file = process.env[VARIABLE];
  if (file) appendFileSync(file, chunk);
}

/** A log of errors for services that run in the test's own process. */
export const errorLog = pino({ level: 'error' }, { write: keepServerOutput });
