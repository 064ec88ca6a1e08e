import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import type { Route } from './+types/sitemap-part';
import { feed, missing, orLater } from './answer.ts';
import { countListed, listAddresses, listPages, PART_SIZE, sitemap } from './model/sitemap.ts';

export const handle: PageHandle = { knows: [] };

export const loader = ({ params, context }: Route.LoaderArgs) =>
  orLater(async () => {
    const { settings, data } = context.get(siteContext);
    const client = data();
    if (params.part === 'pages.xml') return feed('application/xml', sitemap(settings.origin, await listPages(client)));
    const number = Number(/^([1-9]\d{0,3})\.xml$/.exec(params.part)?.[1] ?? 0);
    const parts = number ? Math.ceil((await countListed(client)) / PART_SIZE) : 0;
    if (number === 0 || number > parts) return missing();
    return feed('application/xml', sitemap(settings.origin, await listAddresses(client, number)));
  });
