import { data, href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { contentsIn, factsIn, pageTags, structured } from '#features/seo/model/page-meta.ts';
import { pageImage } from '#features/seo/model/social-card.ts';
import type { Route } from './+types/masterclass';
import { courseWords } from './model/course-words.ts';
import { cachedUntilOver, eventData, isAhead } from './model/masterclass.ts';
import { MasterclassPage } from './page.tsx';
import '#ui/layout/utilities.css';
import './masterclass.css';

export const handle: PageHandle = { knows: [] };

export async function loader({ context }: Route.LoaderArgs) {
  const { settings, facts, pages, pictureHost } = context.get(siteContext);
  const [found, { contents }, host] = await Promise.all([facts(), pages(), pictureHost()]);
  const now = new Date();
  const isUpcoming = isAhead(found.masterclass, now);
  const image = pageImage(href('/ai-jewelry-masterclass'), found, contents).src;
  const event = isUpcoming ? eventData(found, courseWords(found, contents), settings.origin, image) : null;
  return data({ ahead: isUpcoming, event, host }, { headers: cachedUntilOver(found.masterclass, now) });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const event = args.loaderData?.event;
  const { name, description } = courseWords(factsIn(args), contentsIn(args));
  return [...pageTags(args, { title: name, description }), ...(event ? [structured(event)] : [])];
};

export default function MasterclassRoute({ loaderData: { ahead, host } }: Route.ComponentProps) {
  return <MasterclassPage ahead={ahead} host={host} />;
}
