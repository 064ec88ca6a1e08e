import { describe, expect, it } from 'vitest';
import { percentOfAll, trendOf, uncategorised } from './chart-overview.ts';

describe('dashboard figures in words', () => {
  it('compares the last thirty days with the thirty days before', () => {
    expect(trendOf({ recent: 12, before: 8 })).toBe(
      '12 submissions in the last 30 days, 4 more than in the 30 days before.',
    );
    expect(trendOf({ recent: 1, before: 1200 })).toBe(
      '1 submission in the last 30 days, 1,199 fewer than in the 30 days before.',
    );
    expect(trendOf({ recent: 0, before: 0 })).toBe(
      '0 submissions in the last 30 days, as many as in the 30 days before.',
    );
  });

  it('counts projects without a category, and never returns a negative number', () => {
    expect(uncategorised({ all: 10, categories: [{ category: 'ai', projects: 7 }] })).toBe(3);
    expect(uncategorised({ all: 1, categories: [{ category: 'ai', projects: 2 }] })).toBe(0);
  });

  it('shows small shares as at least one percent, and zero as zero', () => {
    expect([percentOfAll(1, 50_000), percentOfAll(0, 5), percentOfAll(5, 5), percentOfAll(0, 0)]).toEqual([
      1, 0, 100, 0,
    ]);
  });
});
