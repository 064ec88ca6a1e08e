import { expect, it } from 'vitest';
import { appliedPreferences, parsePreferences } from './preferences.ts';

it('parses the preferences of the official clients', () => {
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

it('uses the first value of each preference and collects unknown ones', () => {
  expect(parsePreferences('count=exact, count=planned, foo=bar, tx=now, constructor=x, __proto__=y')).toMatchObject({
    count: 'exact',
    tx: null,
    invalid: ['foo=bar', 'tx=now', 'constructor=x', '__proto__=y'],
  });
});

it('accepts only existing time zones and whole numbers', () => {
  expect(parsePreferences('timezone=Europe/Vienna, max-affected=5')).toMatchObject({
    timezone: 'Europe/Vienna',
    maxAffected: 5,
  });
  expect(parsePreferences("timezone=Nowhere/Land, max-affected=-1, timezone='x'").invalid).toHaveLength(3);
});

it('lists the applied preferences in a fixed order', () => {
  expect(
    appliedPreferences({ maxAffected: 1, handling: 'strict', count: 'exact', resolution: 'ignore-duplicates' }),
  ).toBe('resolution=ignore-duplicates, count=exact, handling=strict, max-affected=1');
  expect(appliedPreferences({ count: null })).toBeNull();
});
