import { expect, it } from 'vitest';
import { appliedPreferences, parsePreferences } from './preferences.ts';

it('reads what clients send', () => {
  expect(
    parsePreferences('return=representation, count=exact,resolution=merge-duplicates,missing=default'),
  ).toMatchObject({
    return: 'representation',
    count: 'exact',
    resolution: 'merge-duplicates',
    missing: 'default',
    invalid: [],
  });
});

it('lets the first of a kind count and keeps what it does not know apart', () => {
  expect(parsePreferences('count=exact, count=planned, foo=bar, tx=now, constructor=x, __proto__=y')).toMatchObject({
    count: 'exact',
    tx: null,
    invalid: ['foo=bar', 'tx=now', 'constructor=x', '__proto__=y'],
  });
});

it('takes only real time zones and whole numbers', () => {
  expect(parsePreferences('timezone=Europe/Vienna, max-affected=5')).toMatchObject({
    timezone: 'Europe/Vienna',
    maxAffected: 5,
  });
  expect(parsePreferences("timezone=Nowhere/Land, max-affected=-1, timezone='x'").invalid).toHaveLength(3);
});

it('names what was applied in a fixed order', () => {
  expect(
    appliedPreferences({ maxAffected: 1, handling: 'strict', count: 'exact', resolution: 'ignore-duplicates' }),
  ).toBe('resolution=ignore-duplicates, count=exact, handling=strict, max-affected=1');
  expect(appliedPreferences({ count: null })).toBeNull();
});
