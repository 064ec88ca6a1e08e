import type { Answer } from './exchange.ts';

/** Everything that may change an answer besides its address. */
const VARY = 'Authorization, apikey, Accept, Accept-Profile, Prefer, Range, Origin';

/** Headers that open something to whoever holds them. */
const CAPABILITIES = ['x-draft-secret', 'x-setup-key'];

/**
 * An answer as HTTP.
 * @param mayKeep the browser may keep it as long as it asks before each use
 */
export function toResponse({ status, body, headers }: Answer, mayKeep = false): Response {
  return new Response(status === 204 ? null : body, {
    status,
    headers: {
      'cache-control': mayKeep && status < 300 ? 'private, no-cache' : 'no-store',
      vary: VARY,
      ...(status === 201 && body === null ? { 'content-length': '0' } : {}),
      ...headers,
    },
  });
}

/** True for what everybody reads alike: a guest's GET of a table, with nothing in hand that opens more. */
export const isPublicRead = (request: Request, isGuest: boolean, path: string): boolean =>
  isGuest &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  !path.startsWith('/rpc/') &&
  !CAPABILITIES.some((name) => request.headers.has(name));
