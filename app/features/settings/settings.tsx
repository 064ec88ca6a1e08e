import { useQuery } from '@tanstack/react-query';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { ExampleContacts } from './example-contacts.tsx';
import { listSettings } from './model/settings.ts';
import { SettingsScreen } from './settings-screen.tsx';
import { settingsScreen as words } from './words.ts';
import './settings.css';

export const meta = privateTags('Settings');

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
      <ScreenHead title="Settings" about="What the site says about the agency. Changes go live at once." />
      <ExampleContacts />
      <Loaded query={stored} loading={words.loading} failed={words.failedToLoad}>
        {(settings) => <SettingsScreen initial={settings} />}
      </Loaded>
    </>
  );
}
