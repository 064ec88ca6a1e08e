import type { SettingField } from './field.ts';

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
