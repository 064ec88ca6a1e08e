import { useId } from 'react';
import { settingWords, settingsScreen as words } from '../../../copy/settings.ts';
import { Group, Setting } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export function ReadingCountsPart({ form }: { form: SettingsForm }) {
  const id = useId();
  return (
    <Group title="Reading counts" see="/privacy">
      <Setting form={form} name="analytics">
        <label className="check settings-switch">
          <input
            type="checkbox"
            name="analytics"
            aria-describedby={id}
            checked={form.fields.analytics}
            onChange={(event) => form.set('analytics', event.target.checked)}
          />
          {settingWords.analytics.label}
        </label>
        <div id={id} className="field-hint">
          <p>{settingWords.analytics.hint}</p>
          <p>{words.countingPrivacy}</p>
        </div>
      </Setting>
    </Group>
  );
}
