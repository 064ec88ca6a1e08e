import { describe, expect, it } from 'vitest';
import { builtInFacts } from './facts.ts';
import { exampleContacts, factsFrom, type SettingName, settingIn, settings } from './settings.ts';

const names = Object.keys(settings) as SettingName[];

describe('what admins configure', () => {
  it('CFG-02: has a setting for each fact, whose built-in value fits it', () => {
    const { agency, ...others } = builtInFacts;
    expect(names).toHaveLength(Object.keys({ ...agency, ...others }).length);
    for (const name of names) {
      const value = settingIn(builtInFacts, name);
      expect(settings[name].safeParse(value), name).toMatchObject({ success: true, data: value });
    }
    expect(factsFrom(names.map((name) => ({ name, value: settingIn(builtInFacts, name) })))).toEqual(builtInFacts);
  });

  it('CFG-01: takes the place of what is built in, and leaves the rest', () => {
    const facts = factsFrom([
      { name: 'site_name', value: ' Bedlam ' },
      { name: 'email', value: 'us@bedlam.example' },
      { name: 'analytics', value: true },
    ]);
    expect(facts.agency).toEqual({ ...builtInFacts.agency, name: 'Bedlam', email: 'us@bedlam.example' });
    expect(facts.countReading).toBe(true);
    expect(facts.masterclass).toEqual(builtInFacts.masterclass);
  });

  it('has example contact details until they are replaced (U25)', () => {
    expect(exampleContacts(builtInFacts)).toEqual([
      'email',
      'phone',
      'chat_number',
      'address',
      'book_meeting',
      'book_strategy_call',
      'application_form',
      'social',
    ]);
    const some = factsFrom([
      { name: 'phone', value: '+91 22 4000 1234' },
      { name: 'social', value: [] },
      // The example, written by hand.
      { name: 'email', value: ' hello@madhouse.example ' },
    ]);
    expect(exampleContacts(some)).not.toContain('phone');
    expect(exampleContacts(some)).not.toContain('social');
    expect(exampleContacts(some)).toContain('email');
  });

  it('is left out when it does not fit: a page with the built-in fact is better than none', () => {
    const { masterclass } = builtInFacts;
    const rows = [
      { name: 'site_name', value: '' },
      { name: 'email', value: 'nobody' },
      { name: 'phone', value: 7 },
      { name: 'book_meeting', value: 'javascript:alert(1)' },
      { name: 'default_cover', value: '//evil.example/x.svg' },
      { name: 'social', value: [{ name: 'x', href: 'data:text/html,x' }] },
      { name: 'masterclass', value: { ...masterclass, days: ['2027-05-11', '2027-05-10'] } },
      { name: 'masterclass', value: { ...masterclass, to: '09:00' } },
      { name: 'analytics', value: 'yes' },
      { name: 'constructor', value: 'x' },
      { name: 'toString', value: 'x' },
    ];
    expect(factsFrom(rows)).toEqual(builtInFacts);
  });
});
