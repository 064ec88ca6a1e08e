import { matchesSearch, searchedTexts } from './model/form.ts';
import { type SettingGroup, type SettingName, settingGroups, settings } from './model/table.ts';

const extraGroups: Record<string, SettingGroup> = {
  replies: {
    title: 'Reply templates',
    about: 'Write common answers once. In Review you insert one into the answer, where you can still change it.',
  },
  webhooks: {
    title: 'Webhooks',
    about: 'Tell your own tools what happens here: each address gets the events you choose.',
  },
  legal: {
    title: 'Legal pages',
    about: 'Terms of Service and Privacy Policy. Your own text takes the place of the built-in one.',
  },
  history: {
    title: 'History',
    about:
      'The newest hundred changes of each setting and legal text. Restoring puts an earlier value into the form, where you can check and save it.',
  },
  archive: {
    title: 'Archive',
    about:
      'One file with every project, text, message, account, setting and picture as of now. Keep it as a backup, or use it to move this site to another server.',
  },
  server: {
    title: 'Server',
    about: 'Set in the server’s environment; .env.example explains each variable. Secrets are never shown.',
  },
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
