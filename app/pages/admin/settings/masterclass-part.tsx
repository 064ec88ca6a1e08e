import type { InputHTMLAttributes, ReactNode } from 'react';
import { href } from 'react-router';
import { masterclassFieldWords, settingWords, settingsScreen as words } from '../../../copy/admin/settings.ts';
import { masterclassPreview } from '../../../models/settings/form.ts';
import { LONGEST_SETTING } from '../../../models/settings/settings.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Field, TextField } from '../../../ui/form/field.tsx';
import { useTyped } from '../../../ui/form/use-typed.ts';
import { Group, Setting } from './setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** One setting, so that the page never mixes two masterclasses. */
export function MasterclassPart({ form }: { form: SettingsForm }) {
  const preview = useTyped(form.element, (typed) => masterclassPreview(typed, new Date()));
  const bound = (field: keyof typeof masterclassFieldWords, place: string = field) => ({
    label: masterclassFieldWords[field],
    name: `masterclass.${place}`,
    required: true,
    autoComplete: 'off',
    error: form.errors[`masterclass.${place}`],
  });
  return (
    <Group title="Next masterclass" see={href('/ai-jewelry-masterclass')}>
      <p className="field-hint">{settingWords.masterclass.hint}</p>
      <Setting form={form} name="masterclass">
        <div className="settings-pairs">
          <TextField {...bound('first', 'days.0')} type="date" />
          <TextField {...bound('second', 'days.1')} type="date" />
          <TextField {...bound('from')} type="time" />
          <TextField {...bound('to')} type="time" />
        </div>
        <p className="masterclass-preview" aria-live="polite">
          {preview?.sentence}
          {preview && <span className="masterclass-offer">{preview.offer}</span>}
        </p>
        {preview && !preview.asWritten && <Banner kind="warning">{words.notAsWritten}</Banner>}
        {preview?.over && <Banner kind="warning">{words.over}</Banner>}
        <div className="settings-pairs">
          <TextField {...bound('city')} maxLength={LONGEST_SETTING.city} hint="Where it takes place." />
          <TextField {...bound('utcOffset')} hint="Of that city, as hours from UTC, such as +05:30." />
          <TextField {...bound('seats')} inputMode="numeric" />
          <TextField {...bound('perQuarter')} inputMode="numeric" />
          <Amount {...bound('standardFee')} sign="₹" hint="Per seat, both days." />
          <Amount {...bound('memberFee')} sign="₹" hint="Per seat, for members of the collective." />
          <TextField {...bound('saving')} inputMode="numeric" />
        </div>
      </Setting>
    </Group>
  );
}

const Amount = ({
  label,
  hint,
  error,
  sign,
  required,
  ...input
}: {
  label: string;
  hint: ReactNode;
  error?: string | undefined;
  sign: string;
} & InputHTMLAttributes<HTMLInputElement>) => (
  <Field label={label} hint={hint} error={error} required={required ?? false}>
    {(aria) => (
      <span className="amount-field">
        <span aria-hidden="true">{sign}</span>
        <input {...input} {...aria} className="field-input" type="text" inputMode="numeric" />
      </span>
    )}
  </Field>
);
