import type { ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches, useRouteLoaderData } from 'react-router';
import type { Route } from './+types/root';
import './app.css';
import { siteContext } from './session/site-context.ts';

/** `reading: true` in a route's handle: plain HTML and the small reading script, no framework. */
export interface PageHandle {
  reading?: boolean;
}

export function loader({ context }: Route.LoaderArgs) {
  const { settings } = context.get(siteContext);
  return { origin: settings.origin, supabase: settings.supabase };
}

export function Layout({ children }: { children: ReactNode }) {
  const reading = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.reading);
  const site = useRouteLoaderData<typeof loader>('root');
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="supabase" content={site?.supabase.url} data-key={site?.supabase.publishableKey} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {reading ? (
          <script type="module" src="/assets/reading.js" />
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

export default function Root() {
  return <Outlet />;
}
