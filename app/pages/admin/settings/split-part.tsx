import { href } from 'react-router';
import { settingWords } from '../../../copy/admin/settings.ts';
import { TextField } from '../../../ui/form/field.tsx';
import { Group, Setting } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** What split sheets have to know and the terms do not say. */
export const SplitPart = ({ form }: { form: SettingsForm }) => (
  <Group title="Profit split" see={href('/join')}>
    <Setting form={form} name="unallocated_share_to">
      <TextField
        {...settingWords.unallocated_share_to}
        name="unallocated_share_to"
        maxLength={120}
        autoComplete="off"
        value={form.fields.unallocated_share_to}
        error={form.errors['unallocated_share_to']}
        onChange={(event) => form.set('unallocated_share_to', event.target.value)}
      />
    </Setting>
  </Group>
);
