import { type DestinationStream, type Logger, pino } from 'pino';
import { requestFields } from './current-request.ts';

let waiting: string[] | null = null;
const terminal: DestinationStream = {
  write(line) {
    if (waiting) waiting.push(line);
    else process.stdout.write(line);
  },
};

/** On a terminal, buffers log lines until `releaseLog` or exit, so that the start message comes first. */
export function holdLog(): void {
  if (!process.stdout.isTTY) return;
  waiting = [];
  process.once('exit', releaseLog);
}

export function releaseLog(): void {
  const lines = waiting ?? [];
  waiting = null;
  for (const line of lines) terminal.write(line);
}

/** Structured log to stdout. Never log passwords, tokens, keys, draft secrets, bodies or auth query strings. */
export const createLog = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => requestFields(),
      redact: ['password', '*.password', 'authorization', '*.authorization', 'apikey', 'token'],
    },
    process.stdout.isTTY ? terminal : undefined,
  );
