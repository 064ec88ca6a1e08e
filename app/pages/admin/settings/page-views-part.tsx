import { href } from 'react-router';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import { Group, SwitchSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const PageViewsPart = ({ form }: { form: SettingsForm }) => (
  <Group title="Reading counts" see={href('/privacy')}>
    <SwitchSettingField form={form} name="analytics">
      <p>{words.countingPrivacy}</p>
    </SwitchSettingField>
  </Group>
);
