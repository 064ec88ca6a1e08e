import { type Logger, pino } from 'pino';

/** Structured log to stdout. Never given passwords, tokens, keys, draft secrets, bodies or query strings of identity routes. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['password', '*.password', 'authorization', '*.authorization', 'apikey', 'token'],
  });
