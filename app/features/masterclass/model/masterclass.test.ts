import { describe, expect, it } from 'vitest';
import { builtInFacts } from '#features/settings/model/facts.ts';
import { rupees } from '#lib/data/money.ts';
import { masterclassPage } from '../words/content.ts';
import { builtInMasterclass as masterclass } from '../words/defaults.ts';
import { courseWords } from './course-words.ts';
import { datesOf, hoursOf, partOfDay, roadmapOf, weekdaysOf } from './masterclass.ts';

const DAYS = [masterclassPage.words.first, masterclassPage.words.second];

describe('masterclass model', () => {
  it('has the default days, hours, seats and prices of the specification (CONST-41)', () => {
    expect(datesOf(masterclass)).toBe('May 10 and 11');
    expect(datesOf({ days: ['2027-01-31', '2027-02-01'] })).toBe('January 31 and February 1');
    expect(weekdaysOf(masterclass)).toBe('Saturday and Sunday');
    expect(hoursOf(masterclass)).toBe('2:30 PM to 7:00 PM');
    expect(masterclass).toMatchObject({ city: 'Mumbai', seats: 5, perQuarter: 2, saving: 90 });
    expect([masterclass.standardFee, masterclass.memberFee].map(rupees)).toEqual(['12,500', '9,985']);
  });

  it('starts the programme at the configured time', () => {
    for (const { hours } of roadmapOf(masterclass, DAYS)) {
      const times = hours.map(({ at }) => at);
      expect([times[0], times.at(-1)]).toEqual([masterclass.from, masterclass.to]);
      expect(times).toEqual([...times].sort());
    }
    const [light] = roadmapOf({ from: '09:00', to: '13:30' }, DAYS);
    expect(light!.hours.map(({ at }) => at)).toEqual(['09:00', '09:45', '11:00', '12:30', '13:30']);
  });

  it('shows only the order, the start and the end when the programme does not fit the hours', () => {
    for (const day of roadmapOf({ from: '10:00', to: '17:00' }, DAYS))
      expect(day.hours.map(({ at }) => at)).toEqual(['10:00', null, null, null, '17:00']);
  });

  it.each([
    ['14:30', '19:00', 'afternoons'],
    ['09:00', '13:00', 'mornings'],
    ['18:00', '21:00', 'evenings'],
    ['10:00', '17:00', 'days'],
  ])('names the part of the day from %s to %s', (from, to, part) => expect(partOfDay({ from, to })).toBe(part));

  it('describes one seat, a few seats and many seats in words', () => {
    const words = (seats: number, perQuarter = 2) =>
      courseWords({ ...builtInFacts, masterclass: { ...masterclass, seats, perQuarter } }, {});
    const few = (seats: number) => words(seats).exclusivity.few;
    expect(few(5)).toBe('Five people fit round one table and see one screen. A sixth would be watching.');
    expect(few(7)).toMatch(/ An eighth/);
    expect(few(12)).toMatch(/^Twelve people .* A thirteenth/);
    expect([1, 40].map((seats) => words(seats).facts.count)).toEqual(['1 seat', '40 seats']);
    expect(words(1).description).toContain('in Mumbai: 1 stool, two days');
    expect(words(5, 1).exclusivity.often).toBe('There is 1 masterclass per quarter.');
    expect(words(5, 2).exclusivity.often).toBe('There are 2 masterclasses per quarter.');
  });
});
