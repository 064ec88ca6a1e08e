import { describe, expect, it } from 'vitest';
import { builtInMasterclass } from '#features/masterclass/words/defaults.ts';
import { changedThing, earlierValue, type SettingChange, valueInWords } from './history.ts';

const change = (over: Partial<SettingChange>): SettingChange => ({
  ...{ id: 1, subject: 'setting', name: 'phone', before: null, after: '+91 2', at: '2026-11-21T00:00:00Z', by: null },
  ...over,
});

describe('settings history', () => {
  it('describes each change in plain words (ASET-01)', () => {
    expect(changedThing(change({}))).toBe('Phone');
    expect(changedThing(change({ subject: 'page', name: 'privacy' }))).toBe('Privacy Policy');
    expect(changedThing(change({ name: 'of_long_ago' }))).toBe('of_long_ago');
    expect(valueInWords(change({}), null)).toBe('the built-in value');
    expect(valueInWords(change({}), '+91 2')).toBe('+91 2');
    expect(valueInWords(change({ name: 'analytics' }), true)).toBe('on');
    expect(valueInWords(change({ name: 'address' }), ['1 Street', 'Mumbai'])).toBe('1 Street, Mumbai');
    expect(valueInWords(change({ name: 'social' }), [{ name: 'X', href: 'https://x.example/' }])).toBe(
      'X: https://x.example/',
    );
    const ines = { name: 'Ines', craft: 'Photography', city: '', portrait: '/p.png' };
    expect(valueInWords(change({ name: 'people' }), [ines, { ...ines, name: 'Asha', portrait: '' }])).toBe(
      'Ines: Photography, /p.png; Asha: Photography',
    );
    expect(valueInWords(change({ name: 'masterclass' }), { ...builtInMasterclass, standardFee: 15000 })).toContain(
      'Standard fee: ₹15,000',
    );
    const text = valueInWords(
      change({ subject: 'page', name: 'terms' }),
      `<h1>Terms</h1><p>${'word '.repeat(200)}</p>`,
    );
    expect(text).toMatch(/^Terms word .*…$/);
    expect(text.length).toBeLessThanOrEqual(301);
  });

  it('returns an earlier value while it is valid', () => {
    expect(earlierValue(change({ before: '+91 11111' }))).toEqual({
      subject: 'setting',
      name: 'phone',
      value: '+91 11111',
    });
    expect(earlierValue(change({ name: 'analytics', before: null }))).toEqual({
      subject: 'setting',
      name: 'analytics',
      value: false,
    });
    expect(earlierValue(change({ before: { not: 'a phone' } }))).toBeNull();
    expect(earlierValue(change({ name: 'of_long_ago', before: 1 }))).toBeNull();
    expect(earlierValue(change({ subject: 'page', name: 'terms', before: null }))).toEqual({
      subject: 'page',
      name: 'terms',
      body: null,
    });
  });
});
