import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { portfolioPage } from '#features/pages/words/portfolio.ts';
import { contentOf } from '#lib/fields/page-field.ts';
import type { Route } from './+types/atom';
import { feed, orUnavailable } from './answer.ts';
import { atomFeed, newestExperiments } from './model/atom-feed.ts';

export const handle: PageHandle = { knows: [] };

export const loader = ({ context }: Route.LoaderArgs) =>
  orUnavailable(async () => {
    const { data, facts, pages, pictureHost } = context.get(siteContext);
    const newest = newestExperiments(data());
    const [experiments, { agency }, { contents }, host] = await Promise.all([newest, facts(), pages(), pictureHost()]);
    const subtitle = contentOf(portfolioPage, contents, agency).feed;
    return feed('application/atom+xml', atomFeed(experiments, agency, subtitle, host));
  });
