import { href } from 'react-router';
import { archiveWords } from '../../../copy/admin/archive.ts';
import { replyWords } from '../../../copy/admin/review.ts';
import { legalScreen, settingsHistory, settingsScreen as words } from '../../../copy/admin/settings.ts';
import { matchesSearch, searchedTexts } from '../../../models/settings/search.ts';
import { SETTING_NAMES, settings } from '../../../models/settings/table.ts';

interface SettingsGroup {
  /** The fragment of links to the group. */
  id: string;
  title: string;
  about?: string;
  see?: { to: string; label?: string };
}

const groupsOfSettings: readonly SettingsGroup[] = [
  { id: 'agency', title: 'Agency', see: { to: `${href('/')}#contact` } },
  { id: 'links', title: 'Links', see: { to: `${href('/')}#contact` } },
  { id: 'people', title: 'People' },
  { id: 'defaults', title: 'Page defaults', see: { to: href('/') } },
  {
    id: 'masterclass',
    title: 'Masterclass',
    about: 'Everything on the masterclass page, for search engines too.',
    see: { to: href('/ai-jewelry-masterclass') },
  },
  { id: 'counting', title: 'Page views', see: { to: href('/privacy') } },
  { id: 'messages', title: 'Messages', about: words.messagesPrivacy, see: { to: href('/privacy') } },
  { id: 'split', title: 'Profit split', see: { to: href('/join') } },
  { id: 'security', title: 'Security', see: { to: href('/account'), label: words.setUpFactor } },
  { id: 'publishing', title: 'Publishing' },
];

const otherGroups: readonly SettingsGroup[] = [
  { id: 'replies', title: replyWords.title, about: replyWords.intro },
  { id: 'legal', title: 'Legal pages', about: legalScreen.about },
  { id: 'history', title: settingsHistory.title, about: settingsHistory.intro },
  { id: 'archive', title: 'Archive', about: archiveWords.inside },
  { id: 'server', title: 'Server', about: words.server },
];

/** The groups and settings that match a search; all of them without one. */
export const searchGroups = (search: string) => ({
  ofSettings: groupsOfSettings
    .map((group) => ({
      ...group,
      settings: SETTING_NAMES.filter(
        (name) =>
          settings[name].group === group.id &&
          matchesSearch(search, [group.title, group.about ?? '', ...searchedTexts(settings[name])]),
      ),
    }))
    .filter((group) => group.settings.length > 0),
  others: otherGroups.filter(({ title, about }) => matchesSearch(search, [title, about ?? ''])),
});
