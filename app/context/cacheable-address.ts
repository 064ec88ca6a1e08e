import { matchPath, type ServerBuild } from 'react-router';
import type { PageHandle } from './page-handle.ts';

/** Route of the pages that admins add; its path is a single name. */
export const FREE_PAGE = '/:page';

/** Path and known parameters; null when the page is not cacheable or the spelling differs. */
export function cacheableAddresses(routes: ServerBuild['routes']): (address: string) => string | null {
  const fixed = new Map<string, readonly string[] | undefined>();
  const patterns: { path: string; knows: readonly string[] }[] = [];
  for (const route of Object.values(routes)) {
    const knownParams = (route?.module.handle as PageHandle | undefined)?.knows;
    if (!route) continue;
    const path = fullPath(routes, route.id);
    if (!path.includes(':')) fixed.set(path, knownParams ?? fixed.get(path));
    else if (knownParams) patterns.push({ path, knows: knownParams });
  }
  return (address) => {
    const path = address.split('?', 1)[0]!;
    if (path.endsWith('.data')) return null;
    const knownParams = fixed.has(path) ? fixed.get(path) : patterns.find((page) => isAt(page.path, path))?.knows;
    if (!knownParams) return null;
    const params = new URLSearchParams(address.slice(path.length + 1));
    const cached = new URLSearchParams();
    for (const name of knownParams) for (const value of params.getAll(name)) cached.append(name, value);
    return cached.size ? `${path}?${cached}` : path;
  };
}

export function draftCookieReaders(routes: ServerBuild['routes']): (path: string) => boolean {
  const patterns = Object.values(routes)
    .filter((route) => (route?.module.handle as PageHandle | undefined)?.readsDraftCookie)
    .map((route) => fullPath(routes, route!.id));
  return (path) => patterns.some((pattern) => matchPath(pattern, path));
}

const isAt = (pattern: string, path: string) =>
  (pattern !== FREE_PAGE || /^\/[a-z\d-]+$/.test(path)) &&
  matchPath({ path: pattern, caseSensitive: true }, path) &&
  new URL(path, 'http://site').pathname === path;

export function fullPath(routes: ServerBuild['routes'], id: string): string {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = route.parentId ? routes[route.parentId] : undefined)
    if (route.path) parts.unshift(route.path);
  return `/${parts.join('/')}`;
}
