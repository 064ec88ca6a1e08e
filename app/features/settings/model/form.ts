import { datesOf, hoursOf, isAhead, weekdaysOf } from '#features/masterclass/model/masterclass.ts';
import { builtInMasterclass } from '#features/masterclass/words/defaults.ts';
import { rupees } from '#lib/data/money.ts';
import { checkValues } from '#lib/fields/check-field.ts';
import type { ErrorsByPlace, FieldSpec } from '#lib/fields/field.ts';
import { typedValue } from '#lib/fields/field-draft.ts';
import type { Masterclass } from './facts.ts';
import { type SettingName, settings } from './table.ts';

export const settingAt = (place: string) => place.split('.')[0] as SettingName;

export function checkDraft(name: SettingName, draft: unknown): { value: unknown; errors: ErrorsByPlace } {
  const { values, errors } = checkValues({ [name]: settings[name] }, { [name]: typedValue(settings[name], draft) });
  return { value: values?.[name], errors };
}

export function masterclassPreview(draft: unknown, now: Date) {
  const course = checkDraft('masterclass', draft).value as Masterclass | undefined;
  if (!course) return null;
  const { from, to } = builtInMasterclass;
  return {
    sentence: `${datesOf(course)} (${weekdaysOf(course)}), ${hoursOf(course)} daily`,
    offer: `${course.city}, ${course.seats} seats, ₹${rupees(course.standardFee)}, members ₹${rupees(course.memberFee)}, up to ${course.saving}% saved`,
    over: !isAhead(course, now),
    // The built-in programme has times between them.
    asWritten: course.from === from && course.to === to,
  };
}

export function matchesSearch(search: string, texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => all.includes(word));
}

export const searchedTexts = (field: FieldSpec): string[] => [
  field.label,
  field.help ?? '',
  ...('fields' in field ? Object.values(field.fields).flatMap(searchedTexts) : []),
];
