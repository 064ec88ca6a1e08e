import { href } from 'react-router';
import type { Event, Offer, Organization, WithContext } from 'schema-dts';
import type { Facts, Masterclass } from '#features/settings/model/facts.ts';
import { publicPage } from '#lib/page-headers.ts';
import type { CourseWords } from './course-words.ts';

const dayWith = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const listed = (words: string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(words);

/** `May 10 and 11`, naming a month again only when it changes. */
export const datesOf = ({ days }: Pick<Masterclass, 'days'>): string =>
  listed(
    days.map((day, at) =>
      day.slice(0, 7) === days[at - 1]?.slice(0, 7)
        ? dayWith(day, { day: 'numeric' })
        : dayWith(day, { month: 'long', day: 'numeric' }),
    ),
  );

export const weekdaysOf = ({ days }: Pick<Masterclass, 'days'>): string =>
  listed(days.map((day) => dayWith(day, { weekday: 'long' })));

export const yearOf = ({ days }: Pick<Masterclass, 'days'>): string => days.at(-1)!.slice(0, 4);

/** `14:30` as `2:30 PM` */
export const clockTime = (time: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
    .format(new Date(`2000-01-01T${time}:00Z`))
    .replace(/\s/g, ' ');

export const hoursOf = ({ from, to }: Pick<Masterclass, 'from' | 'to'>) => `${clockTime(from)} to ${clockTime(to)}`;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const NOON = 12 * 60;

/** `afternoons`, or `days` when the hours span more than one part of the day. */
export function partOfDay({ from, to }: Pick<Masterclass, 'from' | 'to'>): string {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (end <= NOON + 60) return 'mornings';
  if (start >= 17 * 60) return 'evenings';
  return start >= NOON ? 'afternoons' : 'days';
}

/** Plan of each day from the configured start, first and last hour exact. `at` is null where only the order fits. */
export function roadmapOf(
  { from, to }: Pick<Masterclass, 'from' | 'to'>,
  days: readonly { name: string; hours: readonly { after: string; what: string }[] }[],
) {
  const start = minutesOf(from);
  return days.map(({ name, hours }) => {
    const length = Number(hours.at(-1)!.after);
    const fits = minutesOf(to) - start === length;
    const timeAfter = (after: number): string | null => {
      if (after === length) return to;
      return fits || after === 0 ? timeOf(start + after) : null;
    };
    return { name, hours: hours.map(({ after, what }) => ({ at: timeAfter(Number(after)), what })) };
  });
}

const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

export const momentOf = (course: Masterclass, day: string, time: string) => `${day}T${time}:00${course.utcOffset}`;

const endOf = (course: Masterclass) => new Date(momentOf(course, course.days.at(-1)!, course.to));

export const isAhead = (course: Masterclass, now: Date): boolean => now < endOf(course);

export const hasSeatsLeft = ({ masterclass, masterclassSeatsTaken }: Facts): boolean =>
  masterclassSeatsTaken < masterclass.seats;

/** Cache header of a public page with an upcoming masterclass: it expires at the end of the masterclass. */
export const cachedUntilOver = (course: Masterclass, now: Date): Record<string, string> => ({
  ...publicPage,
  ...(isAhead(course, now) && { expires: endOf(course).toUTCString() }),
});

/** Structured data of an upcoming masterclass. @param image path on our origin */
export const eventData = (facts: Facts, words: CourseWords, origin: string, image: string): WithContext<Event> => {
  const { masterclass: course, agency } = facts;
  const { name, description, pricing } = words;
  const organisation = { '@type': 'Organization', name: agency.organisation, url: `${origin}/` } satisfies Organization;
  const url = origin + href('/ai-jewelry-masterclass');
  const offer = (name: string, price: number): Offer => ({
    '@type': 'Offer',
    name,
    price,
    priceCurrency: 'INR',
    availability: `https://schema.org/${hasSeatsLeft(facts) ? 'LimitedAvailability' : 'SoldOut'}`,
    url,
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name,
    description,
    startDate: momentOf(course, course.days[0]!, course.from),
    endDate: momentOf(course, course.days.at(-1)!, course.to),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    maximumAttendeeCapacity: course.seats,
    location: {
      '@type': 'Place',
      name: agency.name,
      address: { '@type': 'PostalAddress', addressLocality: course.city, addressCountry: agency.country },
    },
    image: origin + image,
    url,
    organizer: organisation,
    performer: organisation,
    offers: [offer(pricing.standard, course.standardFee), offer(pricing.member, course.memberFee)],
  };
};
