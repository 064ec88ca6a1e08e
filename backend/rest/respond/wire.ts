import type { Answer } from '../exchange.ts';

/** Everything that may change an answer besides its address. */
const VARY = 'Authorization, apikey, Accept, Accept-Profile, Prefer, Range, Origin';

/** Headers that open something to whoever holds them. */
const CAPABILITIES = ['x-draft-secret', 'x-setup-key'];

/**
 * An answer as HTTP.
 * @param isHead nothing is said of the length of a body that was not made
 * @param mayKeep the browser may keep it as long as it asks before each use
 */
export function toResponse(
  { status, body, headers, reason }: Answer,
  { isHead = false, mayKeep = false }: { isHead?: boolean; mayKeep?: boolean } = {},
): Response {
  const all: Answer['headers'] = {
    'cache-control': mayKeep && status < 300 ? 'private, no-cache' : 'no-store',
    vary: VARY,
    ...(body === null && status !== 204 && !isHead ? { 'content-length': '0' } : {}),
    ...headers,
  };
  const pairs = Object.entries(all).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new Response(status === 204 ? null : body, { status, statusText: reason ?? '', headers: pairs });
}

/** True for what everybody reads alike: a guest's GET of a table, with nothing in hand that opens more. */
export const isPublicRead = (request: Request, isGuest: boolean, path: string): boolean =>
  isGuest &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  !path.startsWith('/rpc/') &&
  !CAPABILITIES.some((name) => request.headers.has(name));
