import { useQuery } from '@tanstack/react-query';
import { settingsScreen as words } from '../../copy/settings.ts';
import { listLegalTexts } from '../../models/legal-page.ts';
import { pageTags } from '../../models/page-meta.ts';
import { listSettings } from '../../models/settings.ts';
import { clients } from '../../session/browser.ts';
import type { Route } from './+types/settings';
import { Loaded } from './loaded.tsx';
import { ScreenHead } from './screen-head.tsx';
import { SettingsParts } from './settings/parts.tsx';
import './settings/previews.css';
import './settings/settings.css';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Settings', noindex: true });

/** What the site says about the agency; everything but the server's own settings is changed here. */
export default function Settings() {
  const stored = useQuery({
    queryKey: ['settings'],
    queryFn: async () => {
      const data = clients().data();
      const [settings, texts] = await Promise.all([listSettings(data), listLegalTexts(data)]);
      return { settings, texts };
    },
    // A form is filled from it once; what changes meanwhile is met when saving.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <>
      <ScreenHead title="Settings" about={words.intro} />
      <Loaded query={stored} loading={words.loading} failed={words.failedToLoad}>
        {({ settings, texts }) => <SettingsParts settings={settings} texts={texts} />}
      </Loaded>
    </>
  );
}
