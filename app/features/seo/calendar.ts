import ical from 'ical-generator';
import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { type CourseWords, courseWords } from '#features/masterclass/model/course-words.ts';
import { isAhead, momentOf } from '#features/masterclass/model/masterclass.ts';
import type { Facts } from '#features/settings/model/facts.ts';
import type { Route } from './+types/calendar';
import { notFound, orUnavailable } from './answer.ts';

const PAGE = href('/ai-jewelry-masterclass');

export const handle: PageHandle = { knows: [] };

export const loader = ({ context }: Route.LoaderArgs) =>
  orUnavailable(async () => {
    const { settings, facts, pages } = context.get(siteContext);
    const [currentFacts, { contents }] = await Promise.all([facts(), pages()]);
    const now = new Date();
    if (!isAhead(currentFacts.masterclass, now)) return notFound();
    return new Response(calendarOf(currentFacts, courseWords(currentFacts, contents), settings.origin, now), {
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': `attachment; filename="${PAGE.slice(1)}.ics"`,
        'cache-control': 'no-cache',
      },
    });
  });

/** One event per day, in UTC. The stable id lets calendars update a changed event. */
function calendarOf({ agency, masterclass: course }: Facts, words: CourseWords, origin: string, now: Date): string {
  const { name, hero, roadmap, buttons } = words;
  const url = origin + PAGE;
  const calendar = ical({ name, prodId: { company: agency.name, product: name, language: 'EN' } });
  for (const [at, day] of course.days.entries()) {
    calendar.createEvent({
      id: `masterclass-${day}@${new URL(origin).host}`,
      stamp: now,
      start: new Date(momentOf(course, day, course.from)),
      end: new Date(momentOf(course, day, course.to)),
      summary: `${name}, ${roadmap.day.toLowerCase()} ${at + 1}`,
      description: `${hero.lead}\n${buttons.ask}: ${url}`,
      location: `${agency.name}, ${course.city}`,
      url,
    });
  }
  return calendar.toString();
}
