import { describe, expect, it } from 'vitest';
import type { Values } from '#lib/fields/field.ts';
import { draftOf, typedValue } from '#lib/fields/field-draft.ts';
import { checkDraft, masterclassPreview, matchesSearch, searchedTexts } from './form.ts';
import { builtIn, sameSetting } from './settings.ts';
import { SETTING_NAMES, type SettingName, settings } from './table.ts';

const builtInDraft = (name: SettingName) => draftOf(settings[name], builtIn(name));
const isBuiltIn = (name: SettingName, draft: unknown) =>
  sameSetting(name, typedValue(settings[name], draft), builtIn(name));
const course = (change: Values) => ({ ...(builtInDraft('masterclass') as Values), ...change });
const days = (first: string, second: string) => course({ days: { 0: first, 1: second } });
const link = (href: string) => ({ name: 'A', href });
const person = { name: 'Ines', craft: 'Photography', city: '', portrait: '' };
const teacher = { name: 'Ines', portrait: '', record: 'Trains models' };
const longRecord = { ...teacher, name: 'Asha', record: 'One\nTwo\n\nThree\nFour' };
const badAddress = 'Please enter an address that begins with https:// or a path that begins with /';

describe('settings form', () => {
  it('accepts a whole number of days within the limits', () => {
    expect(builtInDraft('contact_message_days')).toBe('730');
    expect(checkDraft('contact_message_days', '365').value).toBe(365);
    const outside = { 0: 'at least 1', 4000: 'at most 3650' };
    const wrong = { ...outside, soon: 'a number', 1.5: 'a whole number', '12,5': 'a number' };
    for (const [typed, message] of Object.entries(wrong))
      expect(checkDraft('contact_message_days', typed).errors).toEqual({
        contact_message_days: `Please enter ${message}`,
      });
  });

  it.each(SETTING_NAMES)('parses the value of %s from its own fields', (name) => {
    expect(typedValue(settings[name], builtInDraft(name))).toEqual(builtIn(name));
    expect(isBuiltIn(name, builtInDraft(name))).toBe(true);
  });

  it('detects a changed value, and ignores spacing, letter case and number format', () => {
    expect(isBuiltIn('email', 'us@bedlam.example')).toBe(false);
    expect(isBuiltIn('email', ` ${builtIn('email')} `)).toBe(true);
    expect(isBuiltIn('address', `\n${builtInDraft('address')}\n\n`)).toBe(true);
    expect(isBuiltIn('picture_hosts', String(builtInDraft('picture_hosts')).toUpperCase())).toBe(true);
    expect(isBuiltIn('country', 'in')).toBe(true);
    expect(isBuiltIn('social', (builtInDraft('social') as Values[]).toReversed())).toBe(false);
    expect(isBuiltIn('masterclass', course({ standardFee: '12500', memberFee: '₹ 9 985' }))).toBe(true);
  });

  it.each<[SettingName, unknown, string, string]>([
    ['email', 'nobody', 'email', 'Please enter an email address'],
    ['site_name', '  ', 'site_name', 'Please write something here'],
    ['address', `short\n${'long '.repeat(30)}`, 'address', 'Please keep this to 120 characters'],
    ['social', [link('javascript:alert(1)')], 'social.0.href', 'Please enter an address that begins with https://'],
    ['social', ['a', 'b'].map((host) => link(`https://${host}.example/`)), 'social', 'Two links have the same name'],
    ['people', [{ ...person, portrait: 'javascript:alert(1)' }], 'people.0.portrait', badAddress],
    ['teachers', [{ ...teacher, record: '' }], 'teachers.0.record', 'Please write something here'],
    ['teachers', [teacher, longRecord], 'teachers.1.record', 'Up to 3 lines: delete the others, then save'],
    ['masterclass', days('', '2025-05-11'), 'masterclass.days.0', 'Please choose a day'],
    ['masterclass', days('2025-05-10', '2025-05-10'), 'masterclass.days.1', 'The second day comes after the first'],
    ['masterclass', course({ to: '10:00' }), 'masterclass.to', 'The end comes after the beginning'],
    ['masterclass', course({ seats: 'five' }), 'masterclass.seats', 'Please enter a number'],
    ['masterclass', course({ seats: '2.5' }), 'masterclass.seats', 'Please enter a whole number'],
    ['masterclass', course({ standardFee: '' }), 'masterclass.standardFee', 'Please enter a number'],
  ])('reports an error of %s at its field', (name, draft, at, message) => {
    expect(checkDraft(name, draft)).toEqual({ value: undefined, errors: { [at]: message } });
  });

  it('accepts people without a city or portrait, and teachers with three facts between blank lines', () => {
    expect(checkDraft('people', [{ ...person, craft: ' Photography ' }]).value).toEqual([person]);
    const teachers = [{ ...teacher, record: 'One\n\nTwo\nThree' }];
    expect(checkDraft('teachers', teachers)).toEqual({ value: teachers, errors: {} });
  });

  it('previews the masterclass page, and reports dates in the past', () => {
    const [before, after] = ['2025-05-01', '2025-06-01'].map((day) => new Date(day)) as [Date, Date];
    const sentence = 'May 10 and 11 (Saturday and Sunday), 2:30 PM to 7:00 PM daily';
    const offer = 'Mumbai, 5 seats, ₹12,500, members ₹9,985, up to 90% saved';
    const draft = builtInDraft('masterclass');
    expect(masterclassPreview(draft, before)).toEqual({ sentence, offer, over: false, asWritten: true });
    expect(masterclassPreview(draft, after)).toMatchObject({ sentence, over: true });
    expect(masterclassPreview(course({ to: '20:00' }), after)).toMatchObject({ asWritten: false });
    expect(masterclassPreview(days('', ''), after)).toBeNull();
  });
});

const find = (search: string) => SETTING_NAMES.filter((name) => matchesSearch(search, searchedTexts(settings[name])));

it('finds settings by every word in label, help text and field label, in any letter case', () => {
  expect(find('WHATSAPP')).toEqual(['chat_number']);
  expect(find('standard fee')).toEqual(['masterclass']);
  expect(find('portrait')).toEqual(['people', 'teachers']);
  expect(find('legal jurisdiction')).toEqual(['city']);
  expect(find('legal unicorn')).toEqual([]);
  expect(find('')).toEqual(SETTING_NAMES);
});
