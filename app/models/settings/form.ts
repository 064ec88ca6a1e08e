import { builtInMasterclass } from '../../copy/masterclass.ts';
import { rupees } from '../data/money.ts';
import type { Masterclass } from './facts.ts';
import { datesOf, hoursOf, isAhead, weekdaysOf } from './masterclass.ts';
import { builtIn, type SettingName, type StoredSettings, sameSetting, settings, valueInForce } from './settings.ts';

/** Errors by setting and field, such as `social.1.href`: the names of the form's fields. */
export type SettingErrors = Record<string, string>;

export const SETTING_NAMES = Object.keys(settings) as SettingName[];

export const settingAt = (place: string) => place.split('.')[0] as SettingName;

/** An empty entry of each setting that is a list. */
export const EMPTY_ENTRY = {
  social: { name: '', href: '' },
  people: { name: '', craft: '', city: '', portrait: '' },
  teachers: { name: '', record: '', portrait: '' },
} as const satisfies Partial<Record<SettingName, object>>;

export type ListSetting = keyof typeof EMPTY_ENTRY;
export const LIST_SETTINGS = Object.keys(EMPTY_ENTRY) as ListSetting[];
export const isList = (name: SettingName): name is ListSetting => Object.hasOwn(EMPTY_ENTRY, name);

const isLines = (name: SettingName) => name === 'address' || name === 'picture_hosts';

export const inputsOf = (name: SettingName, value: unknown): Record<string, string | boolean> =>
  isLines(name) ? { [name]: (value as string[]).join('\n') } : Object.fromEntries(inputsAt(name, value));

function inputsAt(place: string, value: unknown): [string, string | boolean][] {
  if (typeof value === 'object')
    return Object.entries(value!).flatMap(([key, inner]) => inputsAt(`${place}.${key}`, inner));
  const isFee = typeof value === 'number' && place.endsWith('Fee');
  return [[place, typeof value === 'boolean' ? value : isFee ? rupees(value) : String(value)]];
}

export function typedValue(name: SettingName, typed: FormData): unknown {
  if (isLines(name)) {
    const text = textAt(name, typed);
    return linesOf(name === 'picture_hosts' ? text.toLowerCase() : text);
  }
  if (!isList(name)) return typedLike(builtIn(name), name, typed);
  const entries = [];
  while (typed.has(`${name}.${entries.length}.name`))
    entries.push(typedLike(EMPTY_ENTRY[name], `${name}.${entries.length}`, typed));
  return entries;
}

function typedLike(like: unknown, place: string, typed: FormData): unknown {
  if (typeof like === 'boolean') return typed.has(place);
  if (typeof like === 'number') return numberIn(textAt(place, typed));
  if (typeof like === 'string') return textAt(place, typed);
  const inner = Object.entries(like!).map(([key, one]) => [key, typedLike(one, `${place}.${key}`, typed)] as const);
  return Array.isArray(like) ? inner.map(([, value]) => value) : Object.fromEntries(inner);
}

/** The value as stored, or its errors. */
export function checkSetting(name: SettingName, typed: FormData): { value: unknown; errors: SettingErrors } {
  const { success, data, error } = settings[name].safeParse(typedValue(name, typed));
  if (success) return { value: data, errors: {} };
  const errors: SettingErrors = {};
  for (const { path, message } of error.issues) errors[isLines(name) ? name : [name, ...path].join('.')] ??= message;
  return { value: undefined, errors };
}

export const changedIn = (typed: FormData, stored: StoredSettings): SettingName[] =>
  SETTING_NAMES.filter((name) => !sameSetting(name, typedValue(name, typed), valueInForce(name, stored)));

export function masterclassPreview(
  typed: FormData,
  now: Date,
): { sentence: string; offer: string; over: boolean; asWritten: boolean } | null {
  const course = checkSetting('masterclass', typed).value as Masterclass | undefined;
  if (!course) return null;
  const { from, to, seats } = builtInMasterclass;
  return {
    sentence: `${datesOf(course)} (${weekdaysOf(course)}), ${hoursOf(course)} daily`,
    offer: `${course.city}, ${course.seats} seats, ₹${rupees(course.standardFee)}, members ₹${rupees(course.memberFee)}, up to ${course.saving}% saved`,
    over: !isAhead(course, now),
    // The page's prose names the hours and seats of the built-in masterclass.
    asWritten: course.from === from && course.to === to && course.seats === seats,
  };
}

const textAt = (place: string, typed: FormData) => String(typed.get(place) ?? '');

function numberIn(text: string): number | string {
  const bare = text.replace(/[\s,₹%]/g, '');
  return /^-?\d+(\.\d+)?$/.test(bare) ? Number(bare) : text;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
