import { matchesSearch, searchedTexts } from './model/form.ts';
import { type SettingGroup, type SettingName, settingGroups, settings } from './model/table.ts';

const others: Record<string, SettingGroup> = {
  replies: {
    title: 'Reply templates',
    about: 'Write common answers once. In Review you insert one into the answer, where you can still change it.',
  },
  legal: {
    title: 'Legal pages',
    about: 'Terms of Service and Privacy Policy. Your own text takes the place of the built-in one.',
  },
  history: {
    title: 'History',
    about:
      'The newest hundred changes of each setting and legal text. An earlier value goes into the form first: look at it there, then save.',
  },
  archive: {
    title: 'Archive',
    about:
      'One file with every project, text, message, account and setting, and every picture, as they are at this moment. It is yours to keep, or to start this site elsewhere with.',
  },
  server: {
    title: 'Server',
    about:
      'Set on the server, in its environment; .env.example explains each. Secrets are never shown, here or anywhere.',
  },
};

export type SettingsGroup = SettingGroup & { id: string; names: readonly SettingName[] | null };

export const groups: readonly SettingsGroup[] = [
  ...Object.entries(settingGroups).map(([id, { settings: own, ...group }]) => ({
    id,
    ...group,
    names: Object.keys(own) as SettingName[],
  })),
  ...Object.entries(others).map(([id, group]) => ({ id, ...group, names: null })),
];

/** The groups that match a search, by id, with their matching settings; all of them without a search. */
export function searchSettings(search: string): Map<string, readonly SettingName[]> {
  const found = new Map<string, readonly SettingName[]>();
  for (const { id, title, about = '', names } of groups) {
    const isMatch = (texts: string[]) => matchesSearch(search, [title, about, ...texts]);
    const matching = (names ?? []).filter((name) => isMatch(searchedTexts(settings[name])));
    if (matching.length > 0 || (!names && isMatch([]))) found.set(id, matching);
  }
  return found;
}
