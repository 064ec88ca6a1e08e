import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';
import { fullPath } from './cacheable-address.ts';

export function routePatterns(routes: ServerBuild['routes']): (path: string) => string {
  const paths = new Set(Object.keys(routes).map((id) => fullPath(routes, id)));
  const patterns = [...paths].map((path): RouteObject => ({ path, caseSensitive: false }));
  return (path) => {
    const isData = path.endsWith('.data');
    const pagePath = isData ? path.replace(/\/_root\.data$|\.data$/, '') || '/' : path;
    const pattern = matchRoutes(patterns, pagePath)?.[0]?.route.path ?? '/*';
    return isData ? `${pattern}.data` : pattern;
  };
}
