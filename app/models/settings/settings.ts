import type { PostgrestClient } from '@supabase/postgrest-js';
import * as z from 'zod/mini';
import { type Agency, builtInAgency } from '../../copy/agency.ts';
import { isEmail, MAX_EMAIL_LENGTH } from '../data/email.ts';
import { MOST_DAYS } from '../data/limits.ts';
import { rows, written } from '../data/rows.ts';
import { builtInFacts, type Facts, type Masterclass } from './facts.ts';

const SOMETHING = 'Please write something here';
const words = (most: number, least = 1) =>
  z
    .string(SOMETHING)
    .check(z.trim(), z.minLength(least, SOMETHING), z.maxLength(most, `Please keep this to ${most} characters`));
const webAddress = words(500).check(
  z.refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'Please enter an address that begins with https://',
  ),
);
const isPictureAddress = (text: string) => /^\/(?!\/)/.test(text) || URL.parse(text)?.protocol === 'https:';
const PICTURE_ADDRESS = 'Please enter an address that begins with https:// or a path that begins with /';
const pictureAddress = words(500).check(z.refine(isPictureAddress, PICTURE_ADDRESS));
const portrait = words(500, 0).check(z.refine((text) => text === '' || isPictureAddress(text), PICTURE_ADDRESS));
const day = z
  .string()
  .check(z.refine((text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)), 'Please choose a day'));
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please choose a time'));
const whole = (least: number, most: number) =>
  z
    .number('Please enter a number')
    .check(
      z.int('Please enter a whole number'),
      z.minimum(least, `Please enter at least ${least}`),
      z.maximum(most, `Please enter at most ${most}`),
    );
const ascending = (days: string[]) => days.every((one, at) => at === 0 || one > days[at - 1]!);

const distinct = (entries: { name: string }[]) => new Set(entries.map(({ name }) => name)).size === entries.length;
const list = <Entry extends z.ZodMiniType<{ name: string }>>(entry: Entry, most: number, noun: string) =>
  z
    .array(entry)
    .check(z.maxLength(most, `Please keep this to ${most}`), z.refine(distinct, `Two ${noun} have the same name`));

export const LONGEST_SETTING = {
  site_name: 40,
  organisation: 120,
  city: 80,
  country: 2,
  default_title: 80,
  unallocated_share_to: 120,
  link: 40,
  person: 80,
  record: 400,
} as const;
/** Entries of the settings that are lists. */
export const MOST_ENTRIES = { social: 12, people: 24, teachers: 4 } as const;

const MasterclassFacts = z
  .object({
    days: z
      .array(day)
      .check(
        z.length(2, 'The masterclass has two days'),
        z.refine(ascending, { path: [1], message: 'The second day comes after the first' }),
      ),
    from: time,
    to: time,
    utcOffset: z
      .string()
      .check(z.regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'Please enter the time zone as hours from UTC, such as +05:30')),
    city: words(LONGEST_SETTING.city),
    seats: whole(1, 40),
    perQuarter: whole(1, 90),
    standardFee: whole(0, 10_000_000),
    memberFee: whole(0, 10_000_000),
    saving: whole(1, 100),
  })
  .check(z.refine(({ from, to }) => from < to, { path: ['to'], message: 'The end comes after the beginning' }));

export const settings = {
  site_name: words(LONGEST_SETTING.site_name),
  organisation: words(LONGEST_SETTING.organisation),
  email: words(MAX_EMAIL_LENGTH).check(z.refine(isEmail, 'Please enter an e-mail address')),
  phone: words(40).check(z.regex(/^\+?[\d\s()./-]{5,}$/, 'Please enter a phone number')),
  address: z.array(words(120)).check(z.minLength(1, SOMETHING), z.maxLength(6, 'Please keep this to 6 lines')),
  city: words(LONGEST_SETTING.city),
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'Please enter the two letters of the country, such as IN')),
  default_title: words(LONGEST_SETTING.default_title),
  default_description: words(300),
  book_meeting: webAddress,
  book_strategy_call: webAddress,
  application_form: webAddress,
  chat_number: z.string().check(z.regex(/^\d{6,15}$/, 'Please enter the number with its country code, digits only')),
  social: list(z.object({ name: words(LONGEST_SETTING.link), href: webAddress }), MOST_ENTRIES.social, 'links'),
  people: list(
    z.object({
      name: words(LONGEST_SETTING.person),
      craft: words(LONGEST_SETTING.person),
      city: words(LONGEST_SETTING.city, 0),
      portrait,
    }),
    MOST_ENTRIES.people,
    'people',
  ),
  teachers: list(
    z.object({ name: words(LONGEST_SETTING.person), record: words(LONGEST_SETTING.record), portrait }),
    MOST_ENTRIES.teachers,
    'teachers',
  ),
  default_cover: pictureAddress,
  picture_hosts: z
    .array(z.string().check(z.regex(/^([a-z\d-]+\.)+[a-z]{2,}$/, 'Please enter host names such as images.example.com')))
    .check(z.maxLength(10, 'Please keep this to 10 hosts')),
  masterclass: MasterclassFacts,
  analytics: z.boolean(),
  admins_need_second_factor: z.boolean(),
  contact_message_days: whole(1, MOST_DAYS),
  submitter_address_days: whole(1, MOST_DAYS),
  publishing_needs_checks: z.boolean(),
  unallocated_share_to: words(LONGEST_SETTING.unallocated_share_to, 0),
} as const;

export type SettingName = keyof typeof settings;

const fieldOf = {
  site_name: 'name',
  default_title: 'defaultTitle',
  default_description: 'defaultDescription',
  book_meeting: 'bookMeeting',
  book_strategy_call: 'bookStrategyCall',
  application_form: 'applicationForm',
  chat_number: 'chatNumber',
  default_cover: 'defaultCover',
  picture_hosts: 'pictureHosts',
} as const;

const ownFacts = {
  people: 'people',
  teachers: 'teachers',
  analytics: 'countReading',
  admins_need_second_factor: 'adminsNeedSecondFactor',
  contact_message_days: 'contactMessageDays',
  submitter_address_days: 'submitterAddressDays',
  publishing_needs_checks: 'publishingNeedsChecks',
  unallocated_share_to: 'unallocatedShareTo',
} as const satisfies Partial<Record<SettingName, keyof Facts>>;

const isOwnFact = (name: string): name is keyof typeof ownFacts => Object.hasOwn(ownFacts, name);

export function settingIn(facts: Facts, name: SettingName): unknown {
  const { agency, masterclass } = facts;
  if (name === 'masterclass') return masterclass;
  if (isOwnFact(name)) return facts[ownFacts[name]];
  return (agency as unknown as Record<string, unknown>)[(fieldOf as Record<string, string>)[name] ?? name];
}

export const builtIn = (name: SettingName): unknown => settingIn(builtInFacts, name);

const CONTACTS = [
  'email',
  'phone',
  'chat_number',
  'address',
  'book_meeting',
  'book_strategy_call',
  'application_form',
  'social',
] as const satisfies SettingName[];

export const exampleContacts = (facts: Facts) =>
  CONTACTS.filter((name) => sameSetting(name, settingIn(facts, name), builtIn(name)));

/** Whether two values are equal after parsing. */
export function sameSetting(name: SettingName, one: unknown, other: unknown): boolean {
  const read = (value: unknown) => {
    const { success, data } = settings[name].safeParse(value);
    return JSON.stringify(success ? data : value);
  };
  return read(one) === read(other);
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);

/** An invalid setting falls back to its built-in value. @param rows of `site_settings` */
export function factsFrom(rows: { name: string; value: unknown }[]): Facts {
  const agency: Record<string, unknown> = { ...builtInAgency };
  const facts: Facts = { ...builtInFacts };
  for (const { name, value } of rows) {
    const read = isSetting(name) ? settings[name].safeParse(value) : null;
    if (!read?.success) continue;
    if (name === 'masterclass') facts.masterclass = read.data as Masterclass;
    else if (isOwnFact(name)) facts[ownFacts[name]] = read.data as never;
    else agency[(fieldOf as Record<string, string>)[name] ?? name] = read.data;
  }
  facts.agency = agency as unknown as Agency;
  return facts;
}

export async function findFacts(client: PostgrestClient): Promise<Facts> {
  const data = await rows<{ name: string; value: unknown }>(client.from('site_settings').select('name,value'));
  return factsFrom(data);
}

/** May be invalid: it can be written by other means. */
export interface StoredSetting {
  value: unknown;
  changed: string;
}

export type StoredSettings = Partial<Record<SettingName, StoredSetting>>;

interface Row {
  name: string;
  value: unknown;
  updated_at: string;
}

export async function listSettings(client: PostgrestClient): Promise<StoredSettings> {
  const data = await rows<Row>(client.from('site_settings').select('name,value,updated_at'));
  const stored: StoredSettings = {};
  for (const { name, value, updated_at } of data) if (isSetting(name)) stored[name] = { value, changed: updated_at };
  return stored;
}

/** The stored value, or the built-in one when nothing valid is stored. */
export function valueInForce(name: SettingName, stored: StoredSettings): unknown {
  const read = stored[name] && settings[name].safeParse(stored[name].value);
  return read?.success ? read.data : builtIn(name);
}

/**
 * The built-in value deletes the row. @param known what the caller believes to be stored. @throws EditConflict,
 * ApiError
 */
export async function saveSetting(
  client: PostgrestClient,
  name: SettingName,
  value: unknown,
  known: StoredSetting | undefined,
): Promise<void> {
  const table = client.from('site_settings');
  const remove = sameSetting(name, value, builtIn(name));
  if (remove && !known) return;
  if (!known) await written(table.insert({ name, value }).select('name'));
  else {
    const change = remove ? table.delete() : table.update({ value });
    await written(change.eq('name', name).eq('updated_at', known.changed).select('name'));
  }
}
