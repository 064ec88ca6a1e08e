import type { RoutePattern } from '../../packages/backend/context.ts';
import { serviceIn } from '../../packages/backend/http/service-path.ts';
import type { RouteOf } from './telemetry.ts';

const MAX_ROUTES = 1_000;
/** Catch-all routes say nothing about the request. */
const CATCH_ALL = /^\/\w+\/v1\/\*$/;

/** Bounded label values: route patterns instead of arbitrary paths. @param patterns in Hono's order and notation */
export function servicePatterns(patterns: readonly RoutePattern[]): (method: string, path: string) => string {
  const compiled = patterns
    .filter(({ path }) => !CATCH_ALL.test(path))
    .map(({ method, path }) => ({ method, path, matches: regularExpression(path) }));
  return (method, path) => {
    const routeMethod = method === 'HEAD' ? 'GET' : method;
    const found = compiled.find(
      (one) => (one.method === 'ALL' || one.method === routeMethod) && one.matches.test(path),
    );
    return found ? found.path.replace(/\{\.\+\}/g, '') : `/${serviceIn(path)}/v1/*`;
  };
}

const regularExpression = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/:\w+\{\\\.\+\}/g, '.+')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\/\*$/, '(?:/.*)?')}$`,
  );

export function memoizeRoute(find: RouteOf): RouteOf {
  const cache = new Map<string, string>();
  return (method, url) => {
    const key = `${method} ${url}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const found = find(method, url);
    if (cache.size >= MAX_ROUTES) cache.clear();
    cache.set(key, found);
    return found;
  };
}
