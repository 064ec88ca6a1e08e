import type { MiddlewareHandler } from 'hono';

const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/**
 * What every answer of every service has, unless it says something stricter: programs read it, and it is never guessed
 * at or shown as a page (threat model TM-33).
 */
export const answerHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
};
