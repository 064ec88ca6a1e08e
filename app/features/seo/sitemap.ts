import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import type { Route } from './+types/sitemap';
import { feed, orLater } from './answer.ts';
import { countListed, listAddresses, listPages, PART_SIZE, sitemap, sitemapIndex } from './model/sitemap.ts';

export const handle: PageHandle = { knows: [] };

export const loader = ({ context }: Route.LoaderArgs) =>
  orLater(async () => {
    const { settings, data } = context.get(siteContext);
    const client = data();
    const count = await countListed(client);
    if (count > PART_SIZE) {
      const parts = Array.from({ length: Math.ceil(count / PART_SIZE) }, (_, part) =>
        href('/sitemaps/:part', { part: `${part + 1}.xml` }),
      );
      const paths = [href('/sitemaps/:part', { part: 'pages.xml' }), ...parts];
      return feed(
        'application/xml',
        sitemapIndex(
          settings.origin,
          paths.map((path) => ({ path })),
        ),
      );
    }
    const [pages, experiments] = await Promise.all([listPages(client), listAddresses(client, 1)]);
    return feed('application/xml', sitemap(settings.origin, [...pages, ...experiments]));
  });
