import type { RestResponse } from '../exchange.ts';

/** All request headers that may change a response. */
const VARY = 'Authorization, apikey, Accept, Accept-Profile, Prefer, Range, Origin';

/** Headers that grant access. */
const CREDENTIAL_HEADERS = ['x-draft-secret', 'x-setup-key'];

/**
 * @param isHead send no length for a body that was not produced
 * @param mayCache the browser may cache it but must revalidate
 */
export function toResponse(
  { status, body, headers, reason }: RestResponse,
  { isHead = false, mayCache = false }: { isHead?: boolean; mayCache?: boolean } = {},
): Response {
  const allHeaders: RestResponse['headers'] = {
    'cache-control': mayCache && status < 300 ? 'private, no-cache' : 'no-store',
    vary: VARY,
    ...(body === null && status !== 204 && !isHead ? { 'content-length': '0' } : {}),
    ...headers,
  };
  const pairs = Object.entries(allHeaders).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new Response(status === 204 ? null : body, { status, statusText: reason ?? '', headers: pairs });
}

/** True when every client gets the same response: an anonymous GET of a table without any credential. */
export const isPublicRead = (request: Request, isGuest: boolean, path: string): boolean =>
  isGuest &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  !path.startsWith('/rpc/') &&
  !CREDENTIAL_HEADERS.some((name) => request.headers.has(name));
