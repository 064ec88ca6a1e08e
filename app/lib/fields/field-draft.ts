import { rupees } from '../data/money.ts';
import { type FieldSpec, type Fields, mapFields, sectionFields, type Values } from './field.ts';
import type { TextFormat } from './text-formats.ts';

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;

function emptyValue(field: FieldSpec): unknown {
  switch (field.kind) {
    case 'picture':
      return { path: '', alt: '' };
    case 'choice':
      return Object.keys(field.options)[0];
    case 'record':
      return emptyValues(field.fields);
    case 'list':
      return Array.from({ length: field.least ?? 0 }, () => emptyValues(field.fields));
    case 'sections':
      return [];
    case 'switch':
      return false;
    default:
      return '';
  }
}

export const emptyValues = (fields: Fields): Values => mapFields(fields, {}, emptyValue);

function isOfKind({ kind }: FieldSpec, stored: unknown): boolean {
  if (kind === 'lines' || kind === 'list' || kind === 'sections') return Array.isArray(stored);
  if (kind === 'number' || kind === 'amount') return typeof stored === 'number';
  if (kind === 'picture') return isObject(stored);
  return typeof stored === (kind === 'switch' ? 'boolean' : 'string');
}

/** What a form shows of a stored value, also of an invalid one. */
export function draftOf(field: FieldSpec, stored: unknown): unknown {
  if (field.kind === 'record') return draftsOf(field.fields, stored);
  const value = isOfKind(field, stored) ? stored : (field.words ?? emptyValue(field));
  switch (field.kind) {
    case 'lines':
      return [value].flat().join('\n');
    case 'number':
      return String(value);
    case 'amount':
      return rupees(value as number);
    case 'picture':
      return { path: '', alt: '', ...(value as object) };
    case 'list':
      return (value as Values[]).map((entry) => draftsOf(field.fields, entry));
    case 'sections':
      return (value as Values[])
        .filter((section) => isObject(section) && String(section['kind']) in field.kinds)
        .map((section) => ({ ...draftsOf(sectionFields(field, section), section), kind: section['kind'] }));
    default:
      return value;
  }
}

export const draftsOf = (fields: Fields, stored: unknown): Values => mapFields(fields, stored, draftOf);

export function typedValue(field: FieldSpec, draft: unknown): unknown {
  switch (field.kind) {
    case 'text':
      return inLetterCase(field.format, (draft as string).trim());
    case 'lines':
      return linesIn(inLetterCase(field.format, draft as string));
    case 'number':
    case 'amount':
      return numberIn(draft as string);
    case 'list':
      return (draft as Values[]).map((entry) => typedValues(field.fields, entry));
    case 'sections':
      return (draft as Values[]).map((section) => ({
        ...typedValues(sectionFields(field, section), section),
        kind: section['kind'],
      }));
    case 'record': {
      const values = typedValues(field.fields, draft);
      return field.isArray ? Object.values(values) : values;
    }
    default:
      return draft;
  }
}

export const typedValues = (fields: Fields, drafts: unknown): Values => mapFields(fields, drafts, typedValue);

function numberIn(text: string): number | string {
  const number = text.replace(/[\s₹%]/g, '');
  // Groups of three digits, or Indian ones. "1.000" may mean a thousand.
  return /^-?(\d+|\d{1,3}(,\d{2,3})*,\d{3})(\.\d*[1-9])?$/.test(number) ? Number(number.replaceAll(',', '')) : text;
}

function inLetterCase(format: TextFormat | undefined, text: string): string {
  if (format === 'host' || format === 'colour') return text.toLowerCase();
  return format === 'country' ? text.toUpperCase() : text;
}

export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
