import type { Facts } from '#features/settings/model/facts.ts';
import { rupees } from '#lib/data/money.ts';
import { type Contents, contentOf, fillWords } from '#lib/fields/page-field.ts';
import { masterclassPage } from '../words/content.ts';
import { datesOf, hoursOf, partOfDay, yearOf } from './masterclass.ts';

const CARDINALS = 'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ');
const ORDINALS = 'second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth'.split(' ');
export const SEATS_PER_TABLE = 12;

export function courseValues({ masterclass: course, masterclassSeatsTaken: taken }: Facts): Record<string, string> {
  const { seats } = course;
  const next = ORDINALS[seats - 1] ?? '';
  return {
    place: course.city,
    dates: `${datesOf(course)}, ${yearOf(course)}`,
    hours: hoursOf(course),
    partOfDay: partOfDay(course),
    seats: String(seats),
    left: String(seats - taken),
    people: CARDINALS[seats] ?? String(seats),
    another: `${/^e/.test(next) ? 'An' : 'A'} ${next}`,
    perQuarter: String(course.perQuarter),
    price: rupees(course.standardFee),
    less: rupees(course.standardFee - course.memberFee),
    saving: String(course.saving),
  };
}

export const courseWords = (facts: Facts, contents: Contents) =>
  fillWords(contentOf(masterclassPage, contents, facts.agency), courseValues(facts));
export type CourseWords = ReturnType<typeof courseWords>;
