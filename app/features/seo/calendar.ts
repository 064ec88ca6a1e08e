import ical from 'ical-generator';
import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { isAhead, momentOf } from '#features/masterclass/model/masterclass.ts';
import { masterclassPage } from '#features/masterclass/words/content.ts';
import { masterclassWords } from '#features/masterclass/words/page.ts';
import type { Facts } from '#features/settings/model/facts.ts';
import type { Route } from './+types/calendar';
import { notFound, orUnavailable } from './answer.ts';

const PAGE = href('/ai-jewelry-masterclass');

export const handle: PageHandle = { knows: [] };

export const loader = ({ context }: Route.LoaderArgs) =>
  orUnavailable(async () => {
    const { settings, facts } = context.get(siteContext);
    const currentFacts = await facts();
    const now = new Date();
    if (!isAhead(currentFacts.masterclass, now)) return notFound();
    return new Response(calendarOf(currentFacts, settings.origin, now), {
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': `attachment; filename="${PAGE.slice(1)}.ics"`,
        'cache-control': 'no-cache',
      },
    });
  });

/** One event per day, in UTC. The stable id lets calendars update a changed event. */
function calendarOf({ agency, masterclass: course }: Facts, origin: string, now: Date): string {
  const { title, ask } = masterclassWords;
  const { lead } = masterclassPage.words.hero;
  const url = origin + PAGE;
  const calendar = ical({ name: title, prodId: { company: agency.name, product: title, language: 'EN' } });
  for (const [at, day] of course.days.entries()) {
    calendar.createEvent({
      id: `masterclass-${day}@${new URL(origin).host}`,
      stamp: now,
      start: new Date(momentOf(course, day, course.from)),
      end: new Date(momentOf(course, day, course.to)),
      summary: `${title}, day ${at + 1}`,
      description: `${lead}\n${ask}: ${url}`,
      location: `${agency.name}, ${course.city}`,
      url,
    });
  }
  return calendar.toString();
}
