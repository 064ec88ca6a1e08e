import { href } from 'react-router';
import { settingWords } from '../../../copy/admin/settings.ts';
import { LONGEST_SETTING } from '../../../models/settings/settings.ts';
import { TextField } from '../../../ui/form/field.tsx';
import { EntryList } from './entry-list.tsx';
import { Group, TextSettingField } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const LinksPart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title="Calendars" see={`${href('/')}#contact`}>
      <TextSettingField form={form} name="book_meeting" type="url" />
      <TextSettingField form={form} name="book_strategy_call" type="url" />
    </Group>
    <Group title="Joining" see={href('/join')}>
      <TextSettingField form={form} name="application_form" type="url" />
    </Group>
    <Group title={settingWords.social.label} see={href('/about')}>
      <EntryList
        form={form}
        name="social"
        noun="link"
        fields={(bound) => (
          <>
            <TextField label="Name" {...bound('name')} maxLength={LONGEST_SETTING.link} />
            <TextField label="Address" {...bound('href')} type="url" />
          </>
        )}
      />
    </Group>
  </>
);
