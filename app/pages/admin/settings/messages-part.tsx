import { href } from 'react-router';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import { Group, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const MessagesPart = ({ form }: { form: SettingsForm }) => (
  <Group title="Messages" see={href('/privacy')}>
    <TextSettingField form={form} name="contact_message_days" inputMode="numeric" />
    <TextSettingField form={form} name="submitter_address_days" inputMode="numeric" />
    <p className="field-hint">{words.messagesPrivacy}</p>
  </Group>
);
