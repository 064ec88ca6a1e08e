import { data, href } from 'react-router';
import { siteContext } from '../../../context/site-context.ts';
import { masterclassWords as words } from '../../../copy/public/masterclass.ts';
import { factsIn, pageTags } from '../../../models/seo/page-meta.ts';
import { pageImage } from '../../../models/seo/social-card.ts';
import { structured } from '../../../models/seo/structured-data.ts';
import { cachedUntilOver, eventData, isAhead } from '../../../models/settings/masterclass.ts';
import type { PageHandle } from '../../../page-handle.ts';
import type { Route } from './+types/masterclass';
import { MasterclassPage } from './page.tsx';
import './masterclass.css';
import './print.css';

export const handle: PageHandle = { knows: [] };

const PATH = href('/ai-jewelry-masterclass');

export async function loader({ context }: Route.LoaderArgs) {
  const { settings, facts, pictureHost } = context.get(siteContext);
  const [found, host] = await Promise.all([facts(), pictureHost()]);
  const now = new Date();
  const ahead = isAhead(found.masterclass, now);
  const event = ahead ? eventData(found, settings.origin, pageImage(PATH, found).src) : null;
  return data({ ahead, event, host }, { headers: cachedUntilOver(found.masterclass, now) });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (asked) => {
  const event = asked.loaderData?.event;
  const { city, seats } = factsIn(asked).masterclass;
  return [
    ...pageTags(asked, { title: words.title, description: words.description(city, seats) }),
    ...(event ? [structured(event)] : []),
  ];
};

export default function MasterclassRoute({ loaderData: { ahead, host } }: Route.ComponentProps) {
  return <MasterclassPage ahead={ahead} host={host} />;
}
