import type { SettingField } from './field.ts';

/** Whether every word of a search occurs in one of the texts. */
export function matchesSearch(search: string, texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The labels and help texts of a setting and of the fields in it. */
export const searchedTexts = (field: SettingField): string[] => [
  field.label,
  field.help ?? '',
  ...('fields' in field ? Object.values(field.fields).flatMap(searchedTexts) : []),
];
