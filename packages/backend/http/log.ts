import { type DestinationStream, type Logger, pino } from 'pino';
import { requestFields } from './current-request.ts';

let buffered: string[] | null = null;
const terminal: DestinationStream = {
  write(line) {
    if (buffered) buffered.push(line);
    else process.stdout.write(line);
  },
};

/** On a terminal, buffers log lines until `flushLog` or exit, so that the start message comes first. */
export function bufferLog(): void {
  if (!process.stdout.isTTY) return;
  buffered = [];
  process.once('exit', flushLog);
}

export function flushLog(): void {
  const lines = buffered ?? [];
  buffered = null;
  for (const line of lines) terminal.write(line);
}

/** Structured log to stdout. Never log passwords, tokens, keys, draft secrets, bodies or auth query strings. */
export function createLog(level: string): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime;
  const redact = ['password', '*.password', 'authorization', '*.authorization', 'apikey', 'token'];
  const options = { level, base: null, timestamp, mixin: () => requestFields(), redact };
  return pino(options, process.stdout.isTTY ? terminal : undefined);
}
