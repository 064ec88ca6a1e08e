import { describe, expect, it } from 'vitest';
import { builtInMasterclass as masterclass, masterclassWords } from '../copy/masterclass.ts';
import { datesOf, hoursOf, isAhead, rupees, weekdaysOf } from './masterclass.ts';

describe('the masterclass', () => {
  it('CONST-41: has the days, hours, seats and prices of the specification', () => {
    expect(datesOf(masterclass)).toBe('May 10 and 11');
    expect(weekdaysOf(masterclass)).toBe('Saturday and Sunday');
    expect(hoursOf(masterclass)).toBe('2:30 PM to 7:00 PM');
    expect(masterclass).toMatchObject({ city: 'Mumbai', seats: 5, perQuarter: 2, saving: 90 });
    expect([masterclass.standardFee, masterclass.memberFee].map(rupees)).toEqual(['12,500', '9,985']);
  });

  it('names each month once', () => {
    expect(datesOf({ days: ['2027-01-31', '2027-02-01'] })).toBe('January 31 and February 1');
  });

  it('is ahead until the last afternoon ends in Mumbai, wherever the server stands', () => {
    expect(isAhead(masterclass, new Date('2025-05-11T13:29:59Z'))).toBe(true);
    expect(isAhead(masterclass, new Date('2025-05-11T13:30:00Z'))).toBe(false);
  });

  it('keeps its roadmap inside the hours it promises', () => {
    expect(masterclassWords.roadmap.days).toHaveLength(masterclass.days.length);
    for (const { hours } of masterclassWords.roadmap.days) {
      const times = hours.map(({ at }) => at);
      expect([times[0], times.at(-1)]).toEqual([masterclass.from, masterclass.to]);
      expect(times).toEqual([...times].sort());
    }
  });
});
