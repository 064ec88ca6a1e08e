import { useId } from 'react';
import { settingWords, settingsScreen as words } from '../../../copy/settings.ts';
import { Setting } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** How admins prove who they are. The database refuses what would lock out whoever switches it on. */
export function SecurityPart({ form }: { form: SettingsForm }) {
  const id = useId();
  const { label, hint } = settingWords.admins_need_second_factor;
  return (
    <section className="settings-group" aria-labelledby={`${id}-title`}>
      <h2 className="screen-section" id={`${id}-title`}>
        Signing in
      </h2>
      <Setting form={form} name="admins_need_second_factor">
        <label className="check settings-switch">
          <input
            type="checkbox"
            name="admins_need_second_factor"
            aria-describedby={id}
            checked={form.fields.admins_need_second_factor}
            onChange={(event) => form.set('admins_need_second_factor', event.target.checked)}
          />
          {label}
        </label>
        <div id={id} className="field-hint">
          <p>{hint}</p>
          <p>
            {words.factorFirst} <a href="/account">{words.setUpFactor}</a>
          </p>
        </div>
      </Setting>
    </section>
  );
}
