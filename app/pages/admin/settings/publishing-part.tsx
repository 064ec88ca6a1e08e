import { useId } from 'react';
import { SwitchSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** What has to be in order before something is published. */
export function PublishingPart({ form }: { form: SettingsForm }) {
  const id = useId();
  return (
    <section className="settings-group" aria-labelledby={id}>
      <h2 className="screen-section" id={id}>
        Publishing
      </h2>
      <SwitchSettingField form={form} name="publishing_needs_checks" />
    </section>
  );
}
