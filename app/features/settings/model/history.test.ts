import { describe, expect, it } from 'vitest';
import { builtInMasterclass } from '#features/masterclass/words/defaults.ts';
import { changedThing, earlierValue, type SettingChange, valueInWords } from './history.ts';

const change = (over: Partial<SettingChange>): SettingChange => ({
  ...{ id: 1, subject: 'setting', name: 'phone', before: null, after: '+91 2', at: '2026-11-21T00:00:00Z', by: null },
  ...over,
});

describe('settings history', () => {
  it('names the changed thing (ASET-01)', () => {
    const changes = [change({}), change({ subject: 'page', name: 'privacy' }), change({ name: 'of_long_ago' })];
    expect(changes.map(changedThing)).toEqual(['Phone', 'Privacy Policy', 'of_long_ago']);
  });

  const ines = { name: 'Ines', craft: 'Photography', city: '', portrait: '/p.png' };
  it.each<[name: string, value: unknown, text: string]>([
    ['phone', null, 'the built-in value'],
    ['phone', '+91 2', '+91 2'],
    ['analytics', true, 'on'],
    ['address', ['1 Street', 'Mumbai'], '1 Street, Mumbai'],
    ['social', [{ name: 'X', href: 'https://x.example/' }], 'X: https://x.example/'],
    ['people', [ines, { ...ines, name: 'Asha', portrait: '' }], 'Ines: Photography, /p.png; Asha: Photography'],
    ['masterclass', { ...builtInMasterclass, standardFee: 15000 }, 'Standard fee: ₹15,000'],
  ])('describes a value of %s in plain words: %j (ASET-01)', (name, value, text) => {
    expect(valueInWords(change({ name }), value)).toContain(text);
  });

  it('shortens a long legal text', () => {
    const long = `<h1>Terms</h1><p>${'word '.repeat(200)}</p>`;
    expect(valueInWords(change({ subject: 'page', name: 'terms' }), long)).toMatch(/^Terms word .{200,290}…$/);
  });

  it.each<[Partial<SettingChange>, ReturnType<typeof earlierValue>]>([
    [{ before: '+91 11111' }, { subject: 'setting', name: 'phone', value: '+91 11111' }],
    [
      { name: 'analytics', before: null },
      { subject: 'setting', name: 'analytics', value: false },
    ],
    [{ before: { not: 'a phone' } }, null],
    [{ name: 'of_long_ago', before: 1 }, null],
    [
      { subject: 'page', name: 'terms', before: null },
      { subject: 'page', name: 'terms', body: null },
    ],
  ])('returns an earlier value while it is valid: %j', (over, earlier) => {
    expect(earlierValue(change(over))).toEqual(earlier);
  });
});
