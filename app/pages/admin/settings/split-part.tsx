import { href } from 'react-router';
import { Group, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const SplitPart = ({ form }: { form: SettingsForm }) => (
  <Group title="Profit split" see={href('/join')}>
    <TextSettingField form={form} name="unallocated_share_to" required={false} />
  </Group>
);
