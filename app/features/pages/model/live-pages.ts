import type { PostgrestClient } from '@supabase/postgrest-js';
import { readOne } from '#lib/data/rows.ts';
import { readContent } from '#lib/fields/check-field.ts';
import { type PageContent, type PageKind, pageSchemas } from './page-schemas.ts';

/** What is published: only pages that differ from the built-in ones. */
export interface LivePages {
  contents: { readonly [Kind in PageKind]?: PageContent<Kind> };
  free: readonly { path: string; title: string; content: PageContent<'free'>; changed: string }[];
  redirects: { readonly [path: string]: string };
}

interface Answer {
  pages: { kind: PageKind; path: string; title: string; live: unknown; published_at: string }[];
  redirects: { path: string; to: string }[];
}

export const builtInPages: LivePages = { contents: {}, free: [], redirects: {} };

const contentIn = <Kind extends PageKind>(kind: Kind, stored: unknown): PageContent<Kind> =>
  readContent(pageSchemas[kind].fields, stored) as PageContent<Kind>;

export async function listLivePages(client: PostgrestClient): Promise<LivePages> {
  const { pages, redirects } = await readOne<Answer>(client.rpc('live_pages', {}, { get: true }));
  const known = pages.filter(({ kind }) => Object.hasOwn(pageSchemas, kind));
  const [free, builtIn] = [known.filter(({ kind }) => kind === 'free'), known.filter(({ kind }) => kind !== 'free')];
  return {
    contents: Object.fromEntries(builtIn.map(({ kind, live }) => [kind, contentIn(kind, live)])),
    free: free.map(({ path, title, live, published_at }) => ({
      path,
      title,
      content: contentIn('free', live),
      changed: published_at,
    })),
    redirects: Object.fromEntries(redirects.map(({ path, to }) => [path, to])),
  };
}

const SHOWN: { readonly [path: string]: readonly PageKind[] } = {
  '/': ['home', 'contact', 'masterclass'],
  '/about': ['about', 'home'],
  '/join': ['join'],
  '/ai-jewelry-masterclass': ['masterclass'],
  '/contact': ['contact'],
  '/case-studies': ['portfolio'],
};

/**
 * Content that a path shows, where it differs from the built-in words. Links of the frame lead to the current address of
 * a page, and those to a missing page are left out.
 * @param isRoute whether the site has a page of its own at a path
 */
export function contentAt(path: string, live: LivePages, isRoute: (path: string) => boolean): LivePages['contents'] {
  const { contents, free, redirects } = live;
  const address = path.replace(/(?<=.)\/$/, '').toLowerCase();
  const shown = SHOWN[address] ?? [address.startsWith('/case-studies/') ? 'portfolio' : 'missing'];
  const entries = shown.filter((kind) => contents[kind]).map((kind) => [kind, contents[kind]]);
  const { frame } = contents;
  if (!frame) return Object.fromEntries(entries);
  const current = <Link extends { href: string }>(links: readonly Link[]) =>
    links.flatMap((link) => {
      const target = link.href.split(/[?#]/, 1)[0]!;
      const to = redirects[target] ?? target;
      const isMissing = /^\/[^/]*$/.test(to) && !isRoute(to) && !free.some((page) => page.path === to);
      return isMissing ? [] : [{ ...link, href: to + link.href.slice(target.length) }];
    });
  const footer = { ...frame.footer, more: current(frame.footer.more) };
  return { ...Object.fromEntries(entries), frame: { menu: current(frame.menu), footer } };
}
