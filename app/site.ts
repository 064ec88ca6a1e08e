import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, href, RouterContextProvider } from 'react-router';
import type { Facts } from '#features/settings/model/facts.ts';
import { brandStyle } from '#lib/brand/colours.ts';
import { type Refusal, refusalText, refusalTitle } from '#lib/data/refusal.ts';
import { cacheableAddresses, draftCookieReaders, FREE_PAGE } from './context/cacheable-address.ts';
import { refusalPage, textResponse, withRefusalStatuses, withTrouble } from './context/refusal-status.ts';
import { routePatterns } from './context/route-patterns.ts';
import type { PublicDataCache, RequestContext, SiteSettings } from './context/site-context.ts';
import { siteContext, siteContextFor } from './context/site-context.ts';
import { isSameOriginForm } from './session/csrf.ts';

// The framework's prerender step reads the build through the entry.
export * from 'virtual:react-router/server-build';
export type { SocialCard } from '#features/seo/model/social-card.ts';
export type { Refusal } from '#lib/data/refusal.ts';
export type { RequestContext, SiteSettings } from './context/site-context.ts';

export interface Site {
  /** Maps backend refusals to 429, 503 or 507 with Retry-After; no other place does. */
  answer(request: Request, visitor: RequestContext): Promise<Response>;
  /** A static error page without backend requests. @param path of the requested page */
  refuse(refusal: Refusal, path: string): Promise<Response>;
  /** Cache key: the path with known parameters; null when not cacheable. @param address `/path?query` */
  keptAddress(address: string): string | null;
  /** Whether the page at a path reads the draft cookie. No other page depends on it. */
  readsDraftCookie(path: string): boolean;
  routeOf(path: string): string;
}

export function createSite(settings: SiteSettings): Site {
  const reportingBuild = { ...build, routes: withRefusalStatuses(build.routes), allowedActionOrigins: ['**'] };
  const handle = createRequestHandler(reportingBuild, import.meta.env.MODE);
  const publicDataCache: PublicDataCache = new Map();
  const routeOf = routePatterns(build.routes);
  const isRoute = (path: string) => ![FREE_PAGE, '/*'].includes(routeOf(path));
  const styles = build.assets.routes['root']?.css ?? [];
  return {
    async answer(request, visitor) {
      if (!READ_METHODS.has(request.method) && !isSameOriginForm(request, settings.origin))
        return textResponse(403, 'This form was not sent from one of our pages.');
      const context = new RouterContextProvider();
      const site = siteContextFor(settings, visitor, publicDataCache, isRoute);
      context.set(siteContext, site);
      return withTrouble(await handle(request, context), site.trouble, new URL(request.url).pathname);
    },
    refuse: async (refusal, path) =>
      path.endsWith('.data') ? refusalPage(refusal) : inPage(refusal, styles, publicDataCache),
    keptAddress: cacheableAddresses(build.routes),
    readsDraftCookie: draftCookieReaders(build.routes),
    routeOf,
  };
}

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

function inPage(refusal: Refusal, styles: readonly string[], known: PublicDataCache): Response {
  const facts = known.get('facts')?.value as Facts | undefined;
  const colours = Object.entries((facts && brandStyle(facts.agency.colours)) ?? {})
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
  const links = styles.map((style) => `<link rel="stylesheet" href="${style}">`).join('');
  const html = `<!DOCTYPE html><html lang="en" style="${colours}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${refusalTitle(refusal)}</title>${links}</head><body><main class="sheet" id="main"><div class="error-panel pad-y-section stack gap-5 start"><h1>${refusalTitle(refusal)}</h1><p>${refusalText(refusal)}</p><a class="button button-primary" href="${href('/')}">Back to Home</a></div></main></body></html>`;
  return new Response(html, {
    status: refusal.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'retry-after': String(refusal.seconds),
    },
  });
}
