import { atomFeed, newestExperiments } from '../../models/atom-feed.ts';
import { siteContext } from '../../session/site-context.ts';
import type { Route } from './+types/atom';
import { feed, orLater, withoutQuery } from './answer.ts';

/** GET /feed.xml: the newest experiments, whole, for feed readers. */
export const loader = ({ request, context }: Route.LoaderArgs) =>
  orLater(async () => {
    withoutQuery(request);
    const { data, facts, pictureHost } = context.get(siteContext);
    const [experiments, { agency }, host] = await Promise.all([newestExperiments(data()), facts(), pictureHost()]);
    return feed('application/atom+xml', atomFeed(experiments, agency, host));
  });
