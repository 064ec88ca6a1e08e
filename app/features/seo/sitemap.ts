import type { PostgrestClient } from '@supabase/postgrest-js';
import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import type { LivePages } from '#features/pages/model/live-pages.ts';
import { legal } from '#features/pages/words/legal.ts';
import { addressOf } from '#features/projects/model/labels.ts';
import { listLegalTexts } from '#features/settings/model/legal-page.ts';
import { first, rows } from '#lib/data/rows.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import type { Route } from './+types/sitemap';
import { feed, notFound, orUnavailable } from './answer.ts';
import { xmlText } from './model/xml.ts';

export const handle: PageHandle = { knows: [] };

/** `/sitemap.xml`, which names the parts if one file cannot hold all addresses, and `/sitemaps/PART`. */
export const loader = ({ params: { part }, context }: Route.LoaderArgs & { params: { part?: string } }) =>
  orUnavailable(async () => {
    const { settings, data, pages } = context.get(siteContext);
    const client = data();
    const file = (...addresses: SitemapEntry[][]) => sitemap('urlset', 'url', settings.origin, addresses.flat());
    if (part === 'pages.xml') return file(await listPages(client, await pages()));
    const all = await first<{ experiments: number }>(client.rpc('count_case_studies', {}).eq('category', 'all'));
    const parts = Math.ceil((all?.experiments ?? 0) / PART_SIZE);
    if (part !== undefined) {
      const number = Number(/^([1-9]\d{0,3})\.xml$/.exec(part)?.[1] ?? 0);
      return number === 0 || number > parts ? notFound() : file(await listAddresses(client, number));
    }
    if (parts <= 1) return file(...(await Promise.all([listPages(client, await pages()), listAddresses(client, 1)])));
    const names = ['pages', ...Array.from({ length: parts }, (_, at) => at + 1)];
    const paths = names.map((name) => ({ path: href('/sitemaps/:part', { part: `${name}.xml` }) }));
    return sitemap('sitemapindex', 'sitemap', settings.origin, paths);
  });

interface SitemapEntry {
  path: string;
  /** Timestamp or date of the last change, if known. */
  changed?: string;
}

/** Addresses per file, as in `sitemap_part`. The protocol allows ten times as many; this size is generated quickly. */
const PART_SIZE = 5_000;

/** Oldest first, so that a new experiment changes only the last part. @param part from 1. @throws ApiError */
async function listAddresses(client: PostgrestClient, part: number): Promise<SitemapEntry[]> {
  const entries = await rows<{ id: string; title: string; changed: string }>(client.rpc('sitemap_part', { part }));
  return entries.map((row) => ({ path: addressOf(row), changed: row.changed }));
}

function sitemap(list: 'urlset' | 'sitemapindex', item: 'url' | 'sitemap', origin: string, entries: SitemapEntry[]) {
  const lines = entries.map(({ path, changed }) => {
    const change = changed ? `<lastmod>${xmlText(changed)}</lastmod>` : '';
    return `<${item}><loc>${xmlText(origin + path)}</loc>${change}</${item}>`;
  });
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`;
  return feed('application/xml', `${head}\n${lines.join('\n')}\n</${list}>\n`);
}

async function listPages(client: PostgrestClient, { free }: Pick<LivePages, 'free'>): Promise<SitemapEntry[]> {
  const legalTexts = await listLegalTexts(client);
  const changedAt = (slug: 'privacy' | 'terms') => legalTexts[slug]?.changed ?? legal[slug].changed;
  const undated = ['/', '/case-studies', '/about', '/join', '/ai-jewelry-masterclass', '/contact'] satisfies PagePath[];
  return [
    ...undated.map((path) => ({ path })),
    { path: href('/privacy'), changed: changedAt('privacy') },
    { path: href('/terms'), changed: changedAt('terms') },
    ...free.map(({ path, changed }) => ({ path, changed })),
  ];
}
