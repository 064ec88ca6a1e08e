import { href } from 'react-router';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import { Group, SwitchSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** The database refuses a change that would lock out the admin who makes it. */
export const SecurityPart = ({ form }: { form: SettingsForm }) => (
  <Group title="Signing in">
    <SwitchSettingField form={form} name="admins_need_second_factor">
      <p>
        {words.factorFirst} <a href={href('/account')}>{words.setUpFactor}</a>
      </p>
    </SwitchSettingField>
  </Group>
);
