import { datesOf, hoursOf, isAhead, weekdaysOf } from '#features/masterclass/model/masterclass.ts';
import { builtInMasterclass } from '#features/masterclass/words/defaults.ts';
import { rupees } from '#lib/data/money.ts';
import type { TextFormat } from '#lib/fields/text-field.ts';
import type { Masterclass } from './facts.ts';
import { parseSetting, tooManyLines } from './settings.ts';
import { type ListField, type SettingField, type SettingName, settings } from './table.ts';

export type FieldDraft = string | boolean | FieldDraft[] | DraftRecord;
export interface DraftRecord {
  [field: string]: FieldDraft;
}

/** Errors by setting and field, such as `social.1.href`: the names of the form's fields. */
export type SettingErrors = Record<string, string>;

export const settingAt = (place: string) => place.split('.')[0] as SettingName;

export function draftOf(field: SettingField, value: unknown): FieldDraft {
  switch (field.kind) {
    case 'switch':
      return value as boolean;
    case 'lines':
      return (value as string[]).join('\n');
    case 'amount':
      return rupees(value as number);
    case 'list':
      return (value as unknown[]).map((entry) => eachField(field.fields, entry, draftOf));
    case 'record':
      return eachField(field.fields, value, draftOf);
    default:
      return String(value);
  }
}

export const emptyEntry = ({ fields }: ListField) => eachField(fields, {}, () => '' as FieldDraft);

export function typedValue(field: SettingField, draft: FieldDraft): unknown {
  switch (field.kind) {
    case 'text':
      return inLetterCase(field.format, draft as string);
    case 'lines':
      return linesOf(inLetterCase(field.format, draft as string));
    case 'number':
    case 'amount':
      return numberIn(draft as string);
    case 'list':
      return (draft as FieldDraft[]).map((entry) => eachField(field.fields, entry, typedValue));
    case 'record': {
      const values = eachField(field.fields, draft, typedValue);
      return Array.isArray(field.fields) ? Object.values(values) : values;
    }
    default:
      return draft;
  }
}

function eachField<From, To>(
  fields: Record<string, SettingField> | readonly SettingField[],
  values: unknown,
  convert: (field: SettingField, value: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, convert(field, (values as Record<string, From>)[key]!)]),
  );
}

export function checkDraft(name: SettingName, draft: FieldDraft): { value: unknown; errors: SettingErrors } {
  const field = settings[name];
  const { data, error } = parseSetting(name, typedValue(field, draft));
  const errors = lineErrors(name, field, draft);
  // Reports errors of single lines at the field that contains the lines.
  for (const { path, message } of error?.issues ?? [])
    errors[field.kind === 'lines' ? name : [name, ...path].join('.')] ??= message;
  return { value: Object.keys(errors).length === 0 ? data : undefined, errors };
}

function lineErrors(place: string, field: SettingField, draft: FieldDraft): SettingErrors {
  if (field.kind === 'text') {
    const message = tooManyLines(field, draft as string);
    return message ? { [place]: message } : {};
  }
  if (field.kind !== 'list') return {};
  return Object.assign(
    {},
    ...(draft as DraftRecord[]).flatMap((entry, at) =>
      Object.entries(field.fields).map(([key, inner]) => lineErrors(`${place}.${at}.${key}`, inner, entry[key]!)),
    ),
  );
}

export function masterclassPreview(
  draft: FieldDraft,
  now: Date,
): { sentence: string; offer: string; over: boolean; asWritten: boolean } | null {
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

function numberIn(text: string): number | string {
  const digits = text.replace(/[\s,₹%]/g, '');
  return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : text;
}

function inLetterCase(format: TextFormat | undefined, text: string): string {
  if (format === 'host' || format === 'colour') return text.toLowerCase();
  return format === 'country' ? text.toUpperCase() : text;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export function matchesSearch(search: string, texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

export const searchedTexts = (field: SettingField): string[] => [
  field.label,
  field.help ?? '',
  ...('fields' in field ? Object.values(field.fields).flatMap(searchedTexts) : []),
];
