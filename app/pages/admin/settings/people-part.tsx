import { href } from 'react-router';
import { settingWords, settingsScreen as words } from '../../../copy/admin/settings.ts';
import { LONGEST_SETTING } from '../../../models/settings/settings.ts';
import { Field, TextField } from '../../../ui/form/field.tsx';
import { EntryList } from './entry-list.tsx';
import { Group } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export const PeoplePart = ({ form }: { form: SettingsForm }) => (
  <>
    <Group title={settingWords.people.label} see={`${href('/about')}#people`}>
      <EntryList
        form={form}
        name="people"
        noun="person"
        fields={(bound) => (
          <>
            <TextField label="Name" {...bound('name')} maxLength={LONGEST_SETTING.person} />
            <TextField label="Craft" {...bound('craft')} maxLength={LONGEST_SETTING.person} />
            <TextField label="City" {...bound('city')} maxLength={LONGEST_SETTING.city} />
            <TextField label="Portrait" hint={words.portrait} {...bound('portrait')} />
          </>
        )}
      />
    </Group>
    <Group title={settingWords.teachers.label} see={`${href('/ai-jewelry-masterclass')}#instructor`}>
      <EntryList
        form={form}
        name="teachers"
        noun="teacher"
        fields={(bound) => (
          <>
            <TextField label="Name" {...bound('name')} maxLength={LONGEST_SETTING.person} />
            <TextField label="Portrait" hint={words.portrait} {...bound('portrait')} />
            <Field label="Record" hint={words.record} error={bound('record').error}>
              {(aria) => (
                <textarea {...aria} className="field-input settings-lines" name={bound('record').name} rows={3} />
              )}
            </Field>
          </>
        )}
      />
    </Group>
  </>
);
