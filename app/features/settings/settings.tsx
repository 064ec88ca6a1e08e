import { privateTags } from '#features/seo/model/page-meta.ts';
import { onceFilled, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { ExampleContacts } from './example-contacts.tsx';
import { listSettings } from './model/settings.ts';
import { SettingsScreen } from './settings-screen.tsx';
import { settingsScreen as words } from './words.ts';
import './settings.css';

export const meta = privateTags('Settings');

export default function Settings() {
  const stored = useRead(['settings'], listSettings, onceFilled);
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
