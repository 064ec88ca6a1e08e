import { expect, it } from 'vitest';
import { percentOfAll, trendOf, uncategorised } from './chart-overview.ts';

it.each([
  [12, 8, '12 new experiments in the last 30 days, 4 more than in the 30 days before.'],
  [1, 1200, '1 new experiment in the last 30 days, 1,199 fewer than in the 30 days before.'],
  [0, 0, '0 new experiments in the last 30 days, as many as in the 30 days before.'],
])('compares the last thirty days with the thirty days before: %i and %i', (recent, before, sentence) => {
  expect(trendOf({ recent, before })).toBe(sentence);
});

it('counts projects without a category, and shows small shares as at least one percent', () => {
  expect(uncategorised({ all: 10, categories: [{ category: 'ai', projects: 7 }] })).toBe(3);
  expect(uncategorised({ all: 1, categories: [{ category: 'ai', projects: 2 }] })).toBe(0);
  const percents = [percentOfAll(1, 50_000), percentOfAll(0, 5), percentOfAll(5, 5), percentOfAll(0, 0)];
  expect(percents).toEqual([1, 0, 100, 0]);
});
