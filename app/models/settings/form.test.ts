import { describe, expect, it } from 'vitest';
import { builtInMasterclass } from '../../copy/public/masterclass.ts';
import { changedIn, checkSetting, fieldOf, fieldsFor, masterclassPreview, type SettingsFields } from './form.ts';
import { builtIn, type SettingName } from './settings.ts';

const form = (change: Partial<SettingsFields> = {}): SettingsFields => ({ ...fieldsFor(builtIn), ...change });
const course = (change: Partial<SettingsFields['masterclass']>) =>
  form({ masterclass: { ...fieldOf('masterclass', builtInMasterclass), ...change } });

describe('the settings form', () => {
  it('keeps messages for whole days', () => {
    expect(form().contact_message_days).toBe('730');
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
    expect(changedIn(form(), builtIn)).toEqual([]);
    const changed = changedIn(form({ email: 'us@bedlam.example', analytics: true }), builtIn);
    expect(changed.sort()).toEqual(['analytics', 'email']);
  });

  it('takes no difference in writing for a change', () => {
    const { address, picture_hosts } = form();
    const same = form({
      email: ` ${builtIn('email')} `,
      address: `\n${address}\n\n`,
      picture_hosts: picture_hosts.toUpperCase(),
    });
    expect(changedIn(same, builtIn)).toEqual([]);
    expect(changedIn(course({ standardFee: '12500', memberFee: '₹ 9 985' }), builtIn)).toEqual([]);
  });

  it('notices the order of the social links', () => {
    const { social } = form();
    expect(changedIn(form({ social: social.toReversed() }), builtIn)).toEqual(['social']);
  });

  it.each<[SettingName, SettingsFields, string, string]>([
    ['email', form({ email: 'nobody' }), 'email', 'Please enter an e-mail address'],
    ['site_name', form({ site_name: '  ' }), 'site_name', 'Please write something here'],
    ['address', form({ address: `short\n${'long '.repeat(30)}` }), 'address', 'Please keep this to 120 characters'],
    [
      'social',
      form({ social: [{ id: 0, name: 'A', href: 'javascript:alert(1)' }] }),
      'social.0.href',
      'Please enter an address that begins with https://',
    ],
    [
      'social',
      form({ social: [1, 2].map((id) => ({ id, name: 'A', href: 'https://a.example' })) }),
      'social',
      'Two links have the same name',
    ],
    ['masterclass', course({ first: '' }), 'masterclass.days.0', 'Please choose a day'],
    ['masterclass', course({ second: '2025-05-10' }), 'masterclass.days', 'The second day comes after the first'],
    ['masterclass', course({ to: '10:00' }), 'masterclass.to', 'The end comes after the beginning'],
    ['masterclass', course({ seats: 'five' }), 'masterclass.seats', 'Please enter a number'],
    ['masterclass', course({ seats: '2.5' }), 'masterclass.seats', 'Please enter a whole number'],
    ['masterclass', course({ standardFee: '' }), 'masterclass.standardFee', 'Please enter a number'],
  ])('says what is wrong with %s, and where', (name, fields, at, message) => {
    expect(checkSetting(name, fields)).toEqual({ value: undefined, errors: { [at]: message } });
  });

  it('says how the masterclass will read, and whether it is over', () => {
    const [before, after] = ['2025-05-01', '2025-06-01'].map((day) => new Date(day)) as [Date, Date];
    const sentence = 'May 10 and 11 (Saturday and Sunday), 2:30 PM to 7:00 PM daily';
    const offer = 'Mumbai, 5 seats, ₹12,500, members ₹9,985, up to 90% saved';
    expect(masterclassPreview(form(), before)).toEqual({ sentence, offer, over: false, asWritten: true });
    expect(masterclassPreview(form(), after)).toMatchObject({ sentence, over: true });
    expect(masterclassPreview(course({ seats: '6' }), after)).toMatchObject({ asWritten: false });
    expect(masterclassPreview(course({ first: '' }), after)).toBeNull();
  });
});
