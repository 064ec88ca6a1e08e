import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import { type SiteSettings, siteContext, siteContextFor, type Visitor } from './session/site-context.ts';

// The framework's prerender step reads the build through the entry.
export * from 'virtual:react-router/server-build';
export type { SocialCard } from './models/social-card.ts';
export type { SiteSettings, Visitor } from './session/site-context.ts';

export type Site = (request: Request, visitor: Visitor) => Promise<Response>;

/** The whole visitor's side as one function: Request in, Response out. */
export function createSite(settings: SiteSettings): Site {
  const handle = createRequestHandler(build, import.meta.env.MODE);
  return async (request, visitor) => {
    const context = new RouterContextProvider();
    context.set(siteContext, siteContextFor(settings, visitor));
    return handle(request, context);
  };
}
