import type { MiddlewareHandler } from 'hono';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const MAX_AGE = '86400';

const KNOWN_HEADERS =
  'authorization, apikey, content-type, x-client-info, accept, accept-profile, content-profile, prefer, range, cache-control, x-retry-count, x-upsert, x-metadata, x-signature, x-supabase-api-version, traceparent, tracestate, baggage, x-draft-secret, x-setup-key, tus-resumable, upload-length, upload-metadata, upload-offset, upload-defer-length';

/** Any origin, without credentials: ours travel in headers. @param exposed response headers readable from other origins */
export const cors =
  (exposed: string): MiddlewareHandler =>
  async (c, next) => {
    if (c.req.method === 'OPTIONS' && c.req.header('access-control-request-method')) {
      const allowed = [KNOWN_HEADERS, c.req.header('access-control-request-headers')].filter(Boolean).join(', ');
      return c.body(null, 200, {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': allowed,
        'access-control-max-age': MAX_AGE,
      });
    }
    await next();
    c.res.headers.set('access-control-allow-origin', '*');
    if (exposed) c.res.headers.set('access-control-expose-headers', exposed);
  };

/** Default headers of every API response (threat model TM-33); a service may set stricter values. */
export const API_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export const apiHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(API_HEADERS)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
};
