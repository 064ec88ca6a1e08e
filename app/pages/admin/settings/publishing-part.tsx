import { useId } from 'react';
import { settingWords } from '../../../copy/settings.ts';
import { Setting } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** What has to be in order before something is published. */
export function PublishingPart({ form }: { form: SettingsForm }) {
  const id = useId();
  const { label, hint } = settingWords.publishing_needs_checks;
  return (
    <section className="settings-group" aria-labelledby={`${id}-title`}>
      <h2 className="screen-section" id={`${id}-title`}>
        Publishing
      </h2>
      <Setting form={form} name="publishing_needs_checks">
        <label className="check settings-switch">
          <input
            type="checkbox"
            name="publishing_needs_checks"
            aria-describedby={id}
            checked={form.fields.publishing_needs_checks}
            onChange={(event) => form.set('publishing_needs_checks', event.target.checked)}
          />
          {label}
        </label>
        <p id={id} className="field-hint">
          {hint}
        </p>
      </Setting>
    </section>
  );
}
