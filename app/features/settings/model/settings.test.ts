import { describe, expect, it } from 'vitest';
import { builtInFacts } from './facts.ts';
import { exampleContacts, factsFrom, parseSetting, settingIn } from './settings.ts';
import { SETTING_NAMES } from './table.ts';

const stored = (values: object) => factsFrom(Object.entries(values).map(([name, value]) => ({ name, value })));

describe('settings', () => {
  it('has a setting for each fact, with a valid built-in value (CFG-02)', () => {
    const { agency, ...others } = builtInFacts;
    expect(SETTING_NAMES).toHaveLength(Object.keys({ ...agency, ...others }).length);
    for (const name of SETTING_NAMES) {
      const value = settingIn(builtInFacts, name);
      expect(parseSetting(name, value), name).toMatchObject({ success: true, data: value });
    }
  });

  it('replaces the built-in values of stored settings only (CFG-01)', () => {
    const facts = stored({ site_name: ' Bedlam ', email: 'us@bedlam.example', analytics: true });
    expect(facts.agency).toEqual({ ...builtInFacts.agency, name: 'Bedlam', email: 'us@bedlam.example' });
    expect(facts.countReading).toBe(true);
    expect(facts.masterclass).toEqual(builtInFacts.masterclass);
  });

  it('lists the example contact details that are still in use (U25)', () => {
    const links = ['book_meeting', 'book_strategy_call', 'application_form'];
    expect(exampleContacts(builtInFacts)).toEqual(['email', 'phone', 'chat_number', 'address', ...links, 'social']);
    // The email is the example, written by hand.
    const some = stored({ phone: '+91 22 4000 1234', social: [], email: ' hello@madhouse.example ' });
    expect(exampleContacts(some)).toEqual(['email', 'chat_number', 'address', ...links]);
  });

  it('falls back to the built-in value when the stored one is invalid', () => {
    const { masterclass } = builtInFacts;
    const wrong = {
      ...{ site_name: '', email: 'none', phone: 7, analytics: 'yes', constructor: 'x', toString: 'x' },
      ...{ book_meeting: 'javascript:alert(1)', default_cover: '//evil.example/x.svg' },
      social: [{ name: 'x', href: 'data:text/html,x' }],
      masterclass: { ...masterclass, days: ['2027-05-11', '2027-05-10'] },
    };
    expect(stored(wrong)).toEqual(builtInFacts);
    expect(stored({ masterclass: { ...masterclass, to: '09:00' } })).toEqual(builtInFacts);
  });

  it('shows teachers whose stored record has more than three facts', () => {
    const teachers = [{ name: 'Ines', portrait: '', record: 'One\nTwo\nThree\nFour' }];
    expect(stored({ teachers }).teachers).toEqual(teachers);
  });
});
