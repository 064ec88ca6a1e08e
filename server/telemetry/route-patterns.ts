import type { RoutePattern } from '../../backend/context.ts';
import { serviceIn } from '../../backend/service-path.ts';
import type { RouteOf } from './telemetry.ts';

const MOST_KNOWN = 1_000;
/** Catch-all routes say nothing about the request. */
const EVERYTHING = /^\/\w+\/v1\/\*$/;

/** Bounded label values: route patterns instead of arbitrary paths. @param patterns in Hono's order and notation */
export function servicePatterns(patterns: readonly RoutePattern[]): (method: string, path: string) => string {
  const known = patterns
    .filter(({ path }) => !EVERYTHING.test(path))
    .map(({ method, path }) => ({ method, path, matches: regularExpression(path) }));
  return (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    const found = known.find((one) => (one.method === 'ALL' || one.method === asked) && one.matches.test(path));
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

export function remembered(find: RouteOf): RouteOf {
  const known = new Map<string, string>();
  return (method, url) => {
    const key = `${method} ${url}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(method, url);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, found);
    return found;
  };
}
