import type { Answer } from './exchange.ts';

/** Everything that may change an answer besides its address. */
const VARY = 'Authorization, apikey, Accept, Accept-Profile, Prefer, Range, Origin';

/**
 * An answer as HTTP.
 * @param mayKeep a guest's reading, which may be kept as long as it is asked about before each use
 */
export function toResponse({ status, body, headers }: Answer, mayKeep = false): Response {
  const empty = status === 204 || status === 304 || body === null;
  return new Response(empty ? null : body, {
    status,
    headers: {
      'cache-control': mayKeep && status < 300 ? 'private, no-cache' : 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      vary: VARY,
      ...(empty && status !== 204 ? { 'content-length': '0' } : {}),
      ...headers,
    },
  });
}
