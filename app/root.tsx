import staticPageScript from 'virtual:static-page-script';
import anybody from '@faces/anybody.woff2?url';
import atkinson from '@faces/atkinson.woff2?url';
import type { ReactNode } from 'react';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { href, Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches, useRouteLoaderData } from 'react-router';
import { isStaticPage } from '#context/page-handle.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { pageImage } from '#features/seo/model/social-card.ts';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { brandStyle } from '#lib/brand/colours.ts';
import { withServedLogos } from '#lib/brand/served-logo.ts';
import type { Route } from './+types/root';
import { siteContext } from './context/site-context.ts';
import { ContentContext, FactsContext } from './context/use-facts.ts';
import { PageError } from './ui/feedback/page-error.tsx';
import './app.css';

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: href('/favicon.ico'), sizes: '32x32' },
  { rel: 'icon', href: href('/icon.svg'), type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: href('/apple-touch-icon.png') },
  { rel: 'manifest', href: href('/manifest.webmanifest') },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { settings, facts: find, pages, contentAt } = context.get(siteContext);
  const { pathname } = new URL(request.url);
  const [facts, { contents }, content] = await Promise.all([find(), pages(), contentAt(pathname)]);
  const socialImage = pageImage(pathname, facts, contents);
  const { origin, supabase } = settings;
  const captcha = settings.captcha !== null;
  return { origin, supabase, captcha, facts: withServedLogos(facts), content, socialImage };
}

/** Search terms and page numbers do not change the root's data, which saves a request. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && (currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search);

export const meta: Route.MetaFunction = (args) => pageTags(args);

export function Layout({ children }: { children: ReactNode }) {
  const isStatic = isStaticPage(useMatches());
  const site = useRouteLoaderData<typeof loader>('root');
  const facts = site?.facts ?? builtInFacts;
  return (
    <html lang="en" style={brandStyle(facts.agency.colours)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={facts.agency.colours.paper} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#15111a" media="(prefers-color-scheme: dark)" />
        <meta
          name="supabase"
          content={site?.supabase.url}
          data-key={site?.supabase.publishableKey}
          data-own={site?.supabase.own || undefined}
          data-captcha={site?.captcha || undefined}
          data-pictures={facts.agency.pictureHosts.join(' ')}
          data-cover={facts.agency.defaultCover}
        />
        {isStatic && facts.countReading && <meta name="counting" content="on" />}
        <link rel="alternate" type="application/atom+xml" href={href('/feed.xml')} title={facts.agency.portfolioName} />
        <Meta />
        <Links />
        {/* Fonts are preloaded so that text does not reflow. */}
        {[anybody, atkinson].map((face) => (
          <link key={face} rel="preload" href={face} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
      </head>
      <body>
        <FactsContext value={facts}>
          <ContentContext value={site?.content ?? {}}>{children}</ContentContext>
        </FactsContext>
        {isStatic ? (
          <script type="module" src={staticPageScript} fetchPriority="low" />
        ) : (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

const Root = () => <Outlet />;
export default Root;

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <main className="sheet">
    <PageError error={error} />
  </main>
);
