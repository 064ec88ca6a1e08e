import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import { isOwnForm } from './session/own-form.ts';
import { type SiteSettings, siteContext, siteContextFor, type Visitor } from './session/site-context.ts';

// The framework's prerender step reads the build through the entry.
export * from 'virtual:react-router/server-build';
export type { SocialCard } from './models/social-card.ts';
export type { SiteSettings, Visitor } from './session/site-context.ts';

export type Site = (request: Request, visitor: Visitor) => Promise<Response>;

/** The whole visitor's side as one function: Request in, Response out. */
export function createSite(settings: SiteSettings): Site {
  // The framework compares origins alone and knows no canonical one; what is sent from elsewhere ends before it.
  const handle = createRequestHandler({ ...build, allowedActionOrigins: ['**'] }, import.meta.env.MODE);
  return async (request, visitor) => {
    if (!READS.has(request.method) && !isOwnForm(request, settings.origin)) return fromElsewhere();
    const context = new RouterContextProvider();
    context.set(siteContext, siteContextFor(settings, visitor));
    return handle(request, context);
  };
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const fromElsewhere = () =>
  new Response('This form was not sent from one of our pages.', {
    status: 403,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
