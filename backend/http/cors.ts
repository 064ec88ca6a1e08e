import type { MiddlewareHandler } from 'hono';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const MAX_AGE = '86400';

/** Headers our clients send, our two capability headers among them; what a preflight names besides is echoed. */
const KNOWN_HEADERS =
  'authorization, apikey, content-type, x-client-info, accept, accept-profile, content-profile, prefer, range, cache-control, x-retry-count, x-upsert, x-metadata, x-signature, x-supabase-api-version, traceparent, tracestate, baggage, x-draft-secret, x-setup-key, tus-resumable, upload-length, upload-metadata, upload-offset, upload-defer-length';

/**
 * Open CORS without credentials: every credential of ours travels in a header, never in a cookie.
 * @param exposed response headers that a page of another origin may read
 */
export const cors =
  (exposed: readonly string[]): MiddlewareHandler =>
  async (c, next) => {
    if (c.req.method === 'OPTIONS' && c.req.header('access-control-request-method')) {
      return c.body(null, 200, {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': [KNOWN_HEADERS, c.req.header('access-control-request-headers')]
          .filter(Boolean)
          .join(', '),
        'access-control-max-age': MAX_AGE,
      });
    }
    await next();
    c.res.headers.set('access-control-allow-origin', '*');
    if (exposed.length) c.res.headers.set('access-control-expose-headers', exposed.join(', '));
  };
