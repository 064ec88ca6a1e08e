import { expect, it } from 'vitest';
import { matchesSearch, searchedTexts } from './search.ts';
import { SETTING_NAMES, settings } from './table.ts';

const find = (search: string) => SETTING_NAMES.filter((name) => matchesSearch(search, searchedTexts(settings[name])));

it('finds settings by label, by help text and by the fields in them, in any letter case', () => {
  expect(find('PHONE')).toContain('phone');
  expect(find('whatsapp')).toEqual(['chat_number']);
  expect(find('standard fee')).toEqual(['masterclass']);
  expect(find('portrait')).toEqual(['people', 'teachers']);
});

it('finds settings that contain every word of a search', () => {
  expect(find('legal jurisdiction')).toEqual(['city']);
  expect(find('legal unicorn')).toEqual([]);
  expect(find('')).toEqual(SETTING_NAMES);
});
