import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import type { Route } from './+types/sitemap';
import { feed, notFound, orUnavailable } from './answer.ts';
import { countListed, listAddresses, listPages, PART_SIZE, sitemap, sitemapIndex } from './model/sitemap.ts';

export const handle: PageHandle = { knows: [] };

/** `/sitemap.xml`, which names the parts if one file cannot hold all addresses, and `/sitemaps/PART`. */
export const loader = ({ params: { part }, context }: Route.LoaderArgs & { params: { part?: string } }) =>
  orUnavailable(async () => {
    const { settings, data, pages } = context.get(siteContext);
    const client = data();
    const file = (...addresses: Parameters<typeof sitemap>[1][]) =>
      feed('application/xml', sitemap(settings.origin, addresses.flat()));
    if (part === 'pages.xml') return file(await listPages(client, await pages()));
    const parts = Math.ceil((await countListed(client)) / PART_SIZE);
    if (part !== undefined) {
      const number = Number(/^([1-9]\d{0,3})\.xml$/.exec(part)?.[1] ?? 0);
      return number === 0 || number > parts ? notFound() : file(await listAddresses(client, number));
    }
    if (parts <= 1) return file(...(await Promise.all([listPages(client, await pages()), listAddresses(client, 1)])));
    const names = ['pages', ...Array.from({ length: parts }, (_, at) => at + 1)];
    const paths = names.map((name) => ({ path: href('/sitemaps/:part', { part: `${name}.xml` }) }));
    return feed('application/xml', sitemapIndex(settings.origin, paths));
  });
