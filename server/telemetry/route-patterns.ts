import type { RoutePattern } from '../../backend/context.ts';
import { serviceIn } from '../../backend/service-path.ts';
import type { RouteOf } from './telemetry.ts';

const MOST_KNOWN = 1_000;
/** What every address of a service meets on its way, which says nothing of it. */
const EVERYTHING = /^\/\w+\/v1\/\*$/;

/**
 * Finds the pattern that a service answers an address by: as few as the services have, whatever strangers ask for.
 * @param patterns in the order in which the services try them, as Hono writes them
 */
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

/** `/object/:bucket/:key{.+}` and `/:name/*`. */
const regularExpression = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/:\w+\{\\\.\+\}/g, '.+')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\/\*$/, '(?:/.*)?')}$`,
  );

/** Remembers what was found for the addresses that are asked for most. */
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
