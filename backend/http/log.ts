import { type Logger, pino } from 'pino';
import { requestFields } from './current-request.ts';

/** Structured log to stdout. Never given passwords, tokens, keys, draft secrets, bodies or query strings of identity routes. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => requestFields(),
    redact: ['password', '*.password', 'authorization', '*.authorization', 'apikey', 'token'],
  });
