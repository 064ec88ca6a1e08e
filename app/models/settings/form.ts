import { builtInMasterclass } from '../../copy/public/masterclass.ts';
import { rupees } from '../data/money.ts';
import type { Masterclass } from './facts.ts';
import { datesOf, hoursOf, isAhead, weekdaysOf } from './masterclass.ts';
import { type SettingName, sameSetting, settings } from './settings.ts';

/** Settings that are one line of text. */
export type TextSetting = Exclude<SettingName, 'address' | 'picture_hosts' | 'social' | 'masterclass' | SwitchSetting>;

/** Settings that are on or off. */
export type SwitchSetting = 'analytics' | 'admins_need_second_factor' | 'publishing_needs_checks';

export interface LinkFields {
  /** Stays with a link while it moves. */
  id: number;
  name: string;
  href: string;
}

/** The masterclass as text, the way inputs hold it. */
export type MasterclassFields = Record<Exclude<keyof Masterclass, 'days'> | 'first' | 'second', string>;

/** The settings form; addresses and hosts are one to a line. */
export type SettingsFields = Record<TextSetting | 'address' | 'picture_hosts', string> & {
  social: LinkFields[];
  masterclass: MasterclassFields;
} & Record<SwitchSetting, boolean>;

/** What is wrong, by setting and the place in it, such as `social.1.href`. */
export type SettingErrors = Record<string, string>;

const IN_DAYS = ['contact_message_days', 'submitter_address_days'] as const;
const isInDays = (name: SettingName): name is (typeof IN_DAYS)[number] => IN_DAYS.some((known) => known === name);

/** What the form shows for a value that fits its setting. */
export function fieldOf<Name extends SettingName>(name: Name, value: unknown): SettingsFields[Name];
export function fieldOf(name: SettingName, value: unknown): SettingsFields[SettingName] {
  if (name === 'social') return (value as Omit<LinkFields, 'id'>[]).map((link, id) => ({ ...link, id }));
  if (name === 'masterclass') return courseFields(value as Masterclass);
  if (name === 'address' || name === 'picture_hosts') return (value as string[]).join('\n');
  if (isInDays(name)) return String(value);
  return value as string | boolean;
}

/** The form for what `typedValue` answers for each setting. */
export const fieldsFor = (valueFor: (name: SettingName) => unknown): SettingsFields =>
  Object.fromEntries(
    (Object.keys(settings) as SettingName[]).map((name) => [name, fieldOf(name, valueFor(name))]),
  ) as unknown as SettingsFields;

/** What would be stored; whether it fits, `checkSetting` says. */
export function typedValue(name: SettingName, fields: SettingsFields): unknown {
  if (name === 'social') return fields.social.map(({ name: label, href }) => ({ name: label, href }));
  if (name === 'masterclass') return courseOf(fields.masterclass);
  if (isInDays(name)) return numberIn(fields[name]);
  if (name === 'address') return linesOf(fields.address);
  if (name === 'picture_hosts') return linesOf(fields.picture_hosts.toLowerCase());
  return fields[name];
}

/** The value as its setting keeps it, or what is wrong with it. */
export function checkSetting(name: SettingName, fields: SettingsFields): { value: unknown; errors: SettingErrors } {
  const { success, data, error } = settings[name].safeParse(typedValue(name, fields));
  if (success) return { value: data, errors: {} };
  const errors: SettingErrors = {};
  for (const { path, message } of error.issues) {
    // Lines of one field are not fields of their own.
    const at = name === 'address' || name === 'picture_hosts' ? name : [name, ...path].join('.');
    errors[at] ??= message;
  }
  return { value: undefined, errors };
}

/** The settings that are not what they were. @param was what is in force */
export const changedIn = (fields: SettingsFields, was: (name: SettingName) => unknown): SettingName[] =>
  (Object.keys(settings) as SettingName[]).filter((name) => !sameSetting(name, typedValue(name, fields), was(name)));

/** What the form's masterclass will be on the site; null while it does not fit. */
export function masterclassPreview(
  fields: SettingsFields,
  now: Date,
): { sentence: string; offer: string; over: boolean; asWritten: boolean } | null {
  const course = checkSetting('masterclass', fields).value as Masterclass | undefined;
  if (!course) return null;
  const { from, to, seats } = builtInMasterclass;
  return {
    sentence: `${datesOf(course)} (${weekdaysOf(course)}), ${hoursOf(course)} daily`,
    offer: `${course.city}, ${course.seats} seats, ₹${rupees(course.standardFee)}, members ₹${rupees(course.memberFee)}, up to ${course.saving}% saved`,
    over: !isAhead(course, now),
    // The page's prose names the hours and the seats of the masterclass that is built in.
    asWritten: course.from === from && course.to === to && course.seats === seats,
  };
}

const courseFields = ({ days, ...course }: Masterclass): MasterclassFields => ({
  ...course,
  first: days[0] ?? '',
  second: days[1] ?? '',
  seats: String(course.seats),
  perQuarter: String(course.perQuarter),
  standardFee: rupees(course.standardFee),
  memberFee: rupees(course.memberFee),
  saving: String(course.saving),
});

const courseOf = ({ first, second, ...course }: MasterclassFields) => ({
  ...course,
  days: [first, second],
  seats: numberIn(course.seats),
  perQuarter: numberIn(course.perQuarter),
  standardFee: numberIn(course.standardFee),
  memberFee: numberIn(course.memberFee),
  saving: numberIn(course.saving),
});

/** `12,500` as 12500; what is no number stays text, which no setting takes. */
function numberIn(text: string): number | string {
  const bare = text.replace(/[\s,₹%]/g, '');
  return /^-?\d+(\.\d+)?$/.test(bare) ? Number(bare) : text;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
