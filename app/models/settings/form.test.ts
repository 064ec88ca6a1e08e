import { describe, expect, it } from 'vitest';
import { changedIn, checkSetting, inputsOf, masterclassPreview, SETTING_NAMES, typedValue } from './form.ts';
import { builtIn, type SettingName } from './settings.ts';

/** What the form sends with the built-in values in it, but for these fields. */
function form(change: Record<string, string | boolean> = {}): FormData {
  const sent = new FormData();
  const inputs = Object.assign({}, ...SETTING_NAMES.map((name) => inputsOf(name, builtIn(name))), change);
  for (const [name, value] of Object.entries<string | boolean>(inputs)) if (value) sent.set(name, String(value));
  return sent;
}
const course = (change: Record<string, string>) =>
  form(Object.fromEntries(Object.entries(change).map(([field, text]) => [`masterclass.${field}`, text])));

describe('the settings form', () => {
  it('keeps messages for whole days', () => {
    expect(form().get('contact_message_days')).toBe('730');
    expect(checkSetting('contact_message_days', form({ contact_message_days: '365' })).value).toBe(365);
    for (const [typed, said] of [
      ['soon', 'Please enter a number'],
      ['0', 'Please enter at least 1'],
      ['4000', 'Please enter at most 3650'],
      ['1.5', 'Please enter a whole number'],
    ] as const)
      expect(checkSetting('contact_message_days', form({ contact_message_days: typed })).errors).toEqual({
        contact_message_days: said,
      });
  });

  it('begins as what holds, and knows what was changed', () => {
    expect(changedIn(form(), {})).toEqual([]);
    const changed = changedIn(form({ email: 'us@bedlam.example', analytics: true }), {});
    expect(changed.sort()).toEqual(['analytics', 'email']);
  });

  it('takes no difference in writing for a change', () => {
    const [address, hosts] = ['address', 'picture_hosts'].map((name) => String(form().get(name) ?? ''));
    const same = form({
      email: ` ${builtIn('email')} `,
      address: `\n${address}\n\n`,
      picture_hosts: hosts!.toUpperCase(),
    });
    expect(changedIn(same, {})).toEqual([]);
    expect(changedIn(course({ standardFee: '12500', memberFee: '₹ 9 985' }), {})).toEqual([]);
  });

  it('notices the order of the social links', () => {
    const links = builtIn('social') as object[];
    expect(changedIn(form(inputsOf('social', links)), {})).toEqual([]);
    expect(changedIn(form(inputsOf('social', links.toReversed())), {})).toEqual(['social']);
  });

  it.each<[SettingName, FormData, string, string]>([
    ['email', form({ email: 'nobody' }), 'email', 'Please enter an e-mail address'],
    ['site_name', form({ site_name: '  ' }), 'site_name', 'Please write something here'],
    ['address', form({ address: `short\n${'long '.repeat(30)}` }), 'address', 'Please keep this to 120 characters'],
    [
      'social',
      form({ 'social.0.name': 'A', 'social.0.href': 'javascript:alert(1)' }),
      'social.0.href',
      'Please enter an address that begins with https://',
    ],
    ['social', form({ 'social.0.name': 'A', 'social.1.name': 'A' }), 'social', 'Two links have the same name'],
    [
      'people',
      form({ 'people.0.name': 'Ines', 'people.0.craft': 'Photography', 'people.0.portrait': 'javascript:alert(1)' }),
      'people.0.portrait',
      'Please enter an address that begins with https:// or a path that begins with /',
    ],
    ['teachers', form({ 'teachers.0.name': 'Ines' }), 'teachers.0.record', 'Please write something here'],
    ['masterclass', course({ 'days.0': '' }), 'masterclass.days.0', 'Please choose a day'],
    ['masterclass', course({ 'days.1': '2025-05-10' }), 'masterclass.days.1', 'The second day comes after the first'],
    ['masterclass', course({ to: '10:00' }), 'masterclass.to', 'The end comes after the beginning'],
    ['masterclass', course({ seats: 'five' }), 'masterclass.seats', 'Please enter a number'],
    ['masterclass', course({ seats: '2.5' }), 'masterclass.seats', 'Please enter a whole number'],
    ['masterclass', course({ standardFee: '' }), 'masterclass.standardFee', 'Please enter a number'],
  ])('says what is wrong with %s, and where', (name, fields, at, message) => {
    expect(checkSetting(name, fields)).toEqual({ value: undefined, errors: { [at]: message } });
  });

  it.each(SETTING_NAMES)('reads of %s what it has put into its fields', (name) => {
    expect(typedValue(name, form())).toEqual(builtIn(name));
  });

  it('reads people without a city or portrait', () => {
    const person = { name: 'Ines', craft: 'Photography', city: '', portrait: '' };
    expect(checkSetting('people', form({ 'people.0.name': 'Ines', 'people.0.craft': ' Photography ' })).value).toEqual([
      person,
    ]);
  });

  it('says how the masterclass will read, and whether it is over', () => {
    const [before, after] = ['2025-05-01', '2025-06-01'].map((day) => new Date(day)) as [Date, Date];
    const sentence = 'May 10 and 11 (Saturday and Sunday), 2:30 PM to 7:00 PM daily';
    const offer = 'Mumbai, 5 seats, ₹12,500, members ₹9,985, up to 90% saved';
    expect(masterclassPreview(form(), before)).toEqual({ sentence, offer, over: false, asWritten: true });
    expect(masterclassPreview(form(), after)).toMatchObject({ sentence, over: true });
    expect(masterclassPreview(course({ seats: '6' }), after)).toMatchObject({ asWritten: false });
    expect(masterclassPreview(course({ 'days.0': '' }), after)).toBeNull();
  });
});
