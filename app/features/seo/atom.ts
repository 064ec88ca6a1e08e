import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import type { Route } from './+types/atom';
import { feed, orUnavailable } from './answer.ts';
import { atomFeed, newestExperiments } from './model/atom-feed.ts';

export const handle: PageHandle = { knows: [] };

export const loader = ({ context }: Route.LoaderArgs) =>
  orUnavailable(async () => {
    const { data, facts, pictureHost } = context.get(siteContext);
    const [experiments, { agency }, host] = await Promise.all([newestExperiments(data()), facts(), pictureHost()]);
    return feed('application/atom+xml', atomFeed(experiments, agency, host));
  });
