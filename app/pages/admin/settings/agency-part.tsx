import { href } from 'react-router';
import { Group, LinesSettingField, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const AgencyPart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title="Name" see={href('/')}>
      <TextSettingField form={form} name="site_name" maxLength={40} autoComplete="off" />
      <TextSettingField form={form} name="organisation" maxLength={120} autoComplete="off" />
    </Group>
    <Group title="Contact" see={`${href('/')}#contact`}>
      <TextSettingField form={form} name="email" type="email" autoComplete="off" />
      <TextSettingField form={form} name="phone" type="tel" autoComplete="off" />
      <TextSettingField form={form} name="chat_number" inputMode="numeric" autoComplete="off" />
    </Group>
    <Group title="Office" see={`${href('/')}#contact`}>
      <LinesSettingField form={form} name="address" required rows={4} />
      <TextSettingField form={form} name="city" maxLength={80} autoComplete="off" />
      <TextSettingField form={form} name="country" maxLength={2} autoComplete="off" className="settings-short" />
    </Group>
  </>
);
