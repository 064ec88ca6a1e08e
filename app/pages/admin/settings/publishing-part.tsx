import { Group, SwitchSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const PublishingPart = ({ form }: { form: SettingsForm }) => (
  <Group title="Publishing">
    <SwitchSettingField form={form} name="publishing_needs_checks" />
  </Group>
);
