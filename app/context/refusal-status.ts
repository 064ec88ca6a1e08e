import { data, type ServerBuild } from 'react-router';
import { ApiError } from '#lib/data/api-error.ts';
import { type Refusal, refusalText } from '#lib/data/refusal.ts';
import { siteContext } from './site-context.ts';
import type { Trouble } from './trouble.ts';

type Routes = ServerBuild['routes'];
type Load = NonNullable<NonNullable<Routes[string]>['module']['loader']>;

export const withRefusalStatuses = (routes: Routes): Routes =>
  Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      if (!route) return [id, route];
      const { loader, action } = route.module;
      const routeModule = {
        ...route.module,
        ...(loader && { loader: withRefusalStatus(loader) }),
        ...(action && { action: withRefusalStatus(action as Load) }),
      };
      return [id, { ...route, module: routeModule }];
    }),
  );

const withRefusalStatus =
  (load: Load): Load =>
  async (args) => {
    try {
      return await load(args);
    } catch (error) {
      const { refusal } = args.context.get(siteContext).trouble;
      const init = initOf(error);
      // Other status codes are our own errors, even when the same request also contained a refusal.
      if (!refusal || !(error instanceof ApiError || (init?.status ?? 0) >= 500)) throw error;
      throw data(refusalText(refusal), { ...init, status: refusal.status });
    }
  };

const initOf = (thrown: unknown): ResponseInit | null =>
  (thrown as { type?: string } | null)?.type === 'DataWithResponseInit'
    ? ((thrown as { init: ResponseInit | null }).init ?? null)
    : null;

/** Sets the HTTP status of a page whose data was refused; incomplete responses are marked and not cached. */
export function withTrouble(answer: Response, { refusal, incomplete }: Trouble, path: string): Response {
  if (!refusal && !incomplete) return answer;
  const headers = new Headers(answer.headers);
  headers.set('cache-control', 'no-store');
  headers.set('x-incomplete', '1');
  const isRefusalPage = refusal && (answer.status >= 500 || answer.status === refusal.status);
  if (!isRefusalPage) return new Response(answer.body, { status: answer.status, headers });
  const seconds = Math.max(refusal.seconds, Number(headers.get('retry-after')) || 0);
  if (path.endsWith('.data')) return refusalPage({ ...refusal, seconds });
  headers.set('retry-after', String(seconds));
  return new Response(answer.body, { status: refusal.status, headers });
}

export const refusalPage = (refusal: Refusal): Response =>
  textResponse(refusal.status, refusalText(refusal), { 'retry-after': String(refusal.seconds) });

export function textResponse(status: number, body: string, more: Record<string, string> = {}): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...more };
  return new Response(body, { status, headers });
}
