import { href } from 'react-router';
import { Group, LinesSettingField, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const AgencyPart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title="Name" see={href('/')}>
      <TextSettingField form={form} name="site_name" />
      <TextSettingField form={form} name="organisation" />
    </Group>
    <Group title="Contact" see={`${href('/')}#contact`}>
      <TextSettingField form={form} name="email" type="email" />
      <TextSettingField form={form} name="phone" type="tel" />
      <TextSettingField form={form} name="chat_number" inputMode="numeric" />
    </Group>
    <Group title="Office" see={`${href('/')}#contact`}>
      <LinesSettingField form={form} name="address" required rows={4} />
      <TextSettingField form={form} name="city" />
      <TextSettingField form={form} name="country" className="settings-short" />
    </Group>
  </>
);
