import { describe, expect, it } from 'vitest';
import { builtInFacts } from './facts.ts';
import { exampleContacts, factsFrom, parseSetting, settingIn } from './settings.ts';
import { SETTING_NAMES } from './table.ts';

describe('settings', () => {
  it('has a setting for each fact, with a valid built-in value (CFG-02)', () => {
    const { agency, ...others } = builtInFacts;
    expect(SETTING_NAMES).toHaveLength(Object.keys({ ...agency, ...others }).length);
    for (const name of SETTING_NAMES) {
      const value = settingIn(builtInFacts, name);
      expect(parseSetting(name, value), name).toMatchObject({ success: true, data: value });
    }
    expect(factsFrom(SETTING_NAMES.map((name) => ({ name, value: settingIn(builtInFacts, name) })))).toEqual(
      builtInFacts,
    );
  });

  it('replaces the built-in values of stored settings only (CFG-01)', () => {
    const facts = factsFrom([
      { name: 'site_name', value: ' Bedlam ' },
      { name: 'email', value: 'us@bedlam.example' },
      { name: 'analytics', value: true },
    ]);
    expect(facts.agency).toEqual({ ...builtInFacts.agency, name: 'Bedlam', email: 'us@bedlam.example' });
    expect(facts.countReading).toBe(true);
    expect(facts.masterclass).toEqual(builtInFacts.masterclass);
  });

  it('lists the example contact details that are still in use (U25)', () => {
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

  it('falls back to the built-in value when the stored one is invalid', () => {
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

  it('shows teachers whose stored record has more than three facts', () => {
    const teachers = [{ name: 'Ines', portrait: '', record: 'One\nTwo\nThree\nFour' }];
    expect(factsFrom([{ name: 'teachers', value: teachers }]).teachers).toEqual(teachers);
  });
});
