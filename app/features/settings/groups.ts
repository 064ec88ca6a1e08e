import { archiveWords } from '#features/archive/words.ts';
import { replyWords } from '#features/reviews/words/review.ts';
import { matchesSearch, searchedTexts } from './model/form.ts';
import { type SettingGroup, type SettingName, settingGroups, settings } from './model/table.ts';
import { legalScreen, settingsHistory, settingsScreen as words } from './words.ts';

const extraGroups: Record<string, SettingGroup> = {
  replies: { title: replyWords.title, about: replyWords.intro },
  legal: { title: 'Legal pages', about: legalScreen.about },
  history: { title: settingsHistory.title, about: settingsHistory.intro },
  archive: { title: 'Archive', about: archiveWords.inside },
  server: { title: 'Server', about: words.server },
};

export type SettingsGroup = SettingGroup & { id: string; names: readonly SettingName[] | null };

export const groups: readonly SettingsGroup[] = [
  ...Object.entries(settingGroups).map(([id, { settings: own, ...group }]) => ({
    id,
    ...group,
    names: Object.keys(own) as SettingName[],
  })),
  ...Object.entries(extraGroups).map(([id, group]) => ({ id, ...group, names: null })),
];

/** The groups that match a search, by id, with their matching settings; all of them without a search. */
export function searchSettings(search: string): Map<string, readonly SettingName[]> {
  const matches = new Map<string, readonly SettingName[]>();
  for (const { id, title, about = '', names } of groups) {
    const isMatch = (texts: string[]) => matchesSearch(search, [title, about, ...texts]);
    const matching = (names ?? []).filter((name) => isMatch(searchedTexts(settings[name])));
    if (matching.length > 0 || (!names && isMatch([]))) matches.set(id, matching);
  }
  return matches;
}
