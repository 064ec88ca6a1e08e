import { TrieRouter } from 'hono/router/trie-router';
import { LRUCache } from 'lru-cache';
import type { RoutePattern } from '../../packages/backend/context.ts';
import { serviceIn } from '../../packages/backend/http/service-path.ts';
import type { RouteOf } from './telemetry.ts';

/** Catch-all routes do not describe a request. */
const CATCH_ALL = /^\/\w+\/v1\/\*$/;

/** Bounded label values: route patterns instead of arbitrary paths. @param patterns in Hono's order and notation */
export function servicePatterns(patterns: readonly RoutePattern[]): (method: string, path: string) => string {
  const router = new TrieRouter<string>();
  for (const { method, path } of patterns)
    if (!CATCH_ALL.test(path)) router.add(method, path, path.replace(/\{\.\+\}/g, ''));
  return (method, path) =>
    router.match(method === 'HEAD' ? 'GET' : method, path)[0][0]?.[0] ?? `/${serviceIn(path)}/v1/*`;
}

export function memoizeRoute(find: RouteOf): RouteOf {
  const cache = new LRUCache<string, string, Parameters<RouteOf>>({
    max: 1_000,
    memoMethod: (_key, _stale, { context }) => find(...context),
  });
  return (...request) => cache.memo(request.join(' '), { context: request });
}
