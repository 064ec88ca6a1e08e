import { useId } from 'react';
import { href } from 'react-router';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import { SwitchSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** How admins prove who they are. The database refuses what would lock out whoever switches it on. */
export function SecurityPart({ form }: { form: SettingsForm }) {
  const id = useId();
  return (
    <section className="settings-group" aria-labelledby={id}>
      <h2 className="screen-section" id={id}>
        Signing in
      </h2>
      <SwitchSettingField form={form} name="admins_need_second_factor">
        <p>
          {words.factorFirst} <a href={href('/account')}>{words.setUpFactor}</a>
        </p>
      </SwitchSettingField>
    </section>
  );
}
