import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';

export const SERVER_LOGS = join('node_modules', '.cache', 'server-logs');
const VARIABLE = 'MADHOUSE_TEST_SERVER_LOG';

/** Path of the log of the servers of a test file. @param testFile path from the root */
export const serverLogOf = (testFile: string): string => join(SERVER_LOGS, `${testFile.replaceAll('/', '-')}.log`);

/** Directs the output of the servers of this process to the log of a test file. */
export function logServersTo(testFile: string): void {
  mkdirSync(SERVER_LOGS, { recursive: true });
  process.env[VARIABLE] = serverLogOf(testFile);
}

/** Appends the output of a server to the log; ignored outside of a test file, such as while the demo is seeded. */
export function keepServerOutput(chunk: string | Buffer): void {
  const file = process.env[VARIABLE];
  if (file) appendFileSync(file, chunk);
}

/** Error log of services that run in the test process. */
export const errorLog = pino({ level: 'error' }, { write: keepServerOutput });
