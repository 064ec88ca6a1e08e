import { matchPath, type ServerBuild } from 'react-router';
import type { PageHandle } from './page-handle.ts';

/** Path and known parameters; null when the page is not cacheable or the spelling differs. */
export function cacheableAddresses(routes: ServerBuild['routes']): (address: string) => string | null {
  const fixed = new Map<string, readonly string[]>();
  const patterns: { path: string; knows: readonly string[] }[] = [];
  for (const route of Object.values(routes)) {
    const knows = (route?.module.handle as PageHandle | undefined)?.knows;
    if (!route || !knows) continue;
    const path = fullPath(routes, route.id);
    if (path.includes(':')) patterns.push({ path, knows });
    else fixed.set(path, knows);
  }
  return (address) => {
    const [path, query = ''] = cut(address);
    if (path.endsWith('.data')) return null;
    const knows = fixed.get(path) ?? patterns.find((page) => isAt(page.path, path))?.knows;
    if (!knows) return null;
    const given = new URLSearchParams(query);
    const known = new URLSearchParams();
    for (const name of knows) for (const value of given.getAll(name)) known.append(name, value);
    return known.size ? `${path}?${known}` : path;
  };
}

export function draftCookieReaders(routes: ServerBuild['routes']): (path: string) => boolean {
  const patterns = Object.values(routes)
    .filter((route) => (route?.module.handle as PageHandle | undefined)?.readsDraftCookie)
    .map((route) => fullPath(routes, route!.id));
  return (path) => patterns.some((pattern) => matchPath(pattern, path));
}

const isAt = (pattern: string, path: string) =>
  matchPath({ path: pattern, caseSensitive: true }, path) && new URL(path, 'http://site').pathname === path;

function cut(address: string): [path: string, query?: string] {
  const at = address.indexOf('?');
  return at < 0 ? [address] : [address.slice(0, at), address.slice(at + 1)];
}

export function fullPath(routes: ServerBuild['routes'], id: string): string {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = route.parentId ? routes[route.parentId] : undefined)
    if (route.path) parts.unshift(route.path);
  return `/${parts.join('/')}`;
}
