import { useQuery } from '@tanstack/react-query';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { listSettings } from '../../../models/settings/settings.ts';
import { clients } from '../../../session/browser.ts';
import { ExampleContacts } from '../example-contacts.tsx';
import { Loaded } from '../loaded.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import type { Route } from './+types/settings';
import { SettingsScreen } from './settings-screen.tsx';
import './settings.css';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Settings', noindex: true });

export default function Settings() {
  const stored = useQuery({
    queryKey: ['settings'],
    queryFn: () => listSettings(clients().data()),
    // Fills the form once; concurrent changes are detected on save.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <>
      <ScreenHead title="Settings" about={words.intro} />
      <ExampleContacts />
      <Loaded query={stored} loading={words.loading} failed={words.failedToLoad}>
        {(settings) => <SettingsScreen initial={settings} />}
      </Loaded>
    </>
  );
}
