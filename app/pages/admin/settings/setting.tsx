import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { settingWords, settingsScreen as words } from '../../../copy/admin/settings.ts';
import { typedValue } from '../../../models/settings/form.ts';
import { settingInWords } from '../../../models/settings/history.ts';
import {
  builtIn,
  LONGEST_SETTING,
  type SettingName,
  sameSetting,
  settings,
  valueInForce,
} from '../../../models/settings/settings.ts';
import { Field, TextField } from '../../../ui/form/field.tsx';
import { useTyped } from '../../../ui/form/use-typed.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export function Group({ title, see, children }: { title: string; see?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="settings-group" aria-labelledby={id}>
      <div className="screen-section">
        <h2 id={id}>{title}</h2>
        {see && (
          <a href={see} target="_blank" rel="noopener">
            {words.seeIt}
            <span className="hidden-text"> ({title}, opens a new tab)</span> <Icon name="arrow-out" />
          </a>
        )}
      </div>
      <div className="settings-fields">{children}</div>
    </section>
  );
}

export function Setting({ form, name, children }: { form: SettingsForm; name: SettingName; children: ReactNode }) {
  const { label } = settingWords[name];
  const stored = form.stored[name];
  const changed = form.changed.includes(name);
  const own = useTyped(form.element, (typed) => !sameSetting(name, typedValue(name, typed), builtIn(name)));
  const unfit = stored && !settings[name].safeParse(stored.value).success;
  return (
    <div className="setting" data-unsaved={changed || undefined}>
      {children}
      {unfit && <p className="setting-foot">{words.doesNotFit}</p>}
      {form.theirs.includes(name) && (
        <p className="setting-foot setting-theirs">
          <span>
            {words.theirs} <strong>{settingInWords(name, valueInForce(name, form.stored))}</strong>
          </span>
          <FootButton onClick={() => form.takeTheirs(name)} label={words.useTheirs} of={label} />
        </p>
      )}
      {own && (
        <p className="setting-foot">
          <span>
            {words.builtIn} {settingInWords(name, builtIn(name))}
          </span>
          <FootButton onClick={() => form.takeBuiltIn(name)} label={words.backToBuiltIn} of={label} />
        </p>
      )}
    </div>
  );
}

const FootButton = ({ label, of, onClick }: { label: string; of: string; onClick: () => void }) => (
  <button type="button" className="setting-button" onClick={onClick}>
    {label}
    <span className="hidden-text"> ({of})</span>
  </button>
);

export const TextSettingField = ({
  form,
  name,
  ...input
}: { form: SettingsForm; name: SettingName } & Omit<InputHTMLAttributes<HTMLInputElement>, 'form'>) => (
  <Setting form={form} name={name}>
    <TextField
      autoComplete="off"
      required
      {...input}
      {...settingWords[name]}
      name={name}
      maxLength={(LONGEST_SETTING as Partial<Record<SettingName, number>>)[name]}
      error={form.errors[name]}
    />
  </Setting>
);

export const LinesSettingField = ({
  form,
  name,
  required = false,
  rows,
}: {
  form: SettingsForm;
  name: SettingName;
  required?: boolean;
  rows: number;
}) => (
  <Setting form={form} name={name}>
    <Field {...settingWords[name]} required={required} error={form.errors[name]}>
      {(aria) => <textarea {...aria} className="field-input settings-lines" name={name} rows={rows} />}
    </Field>
  </Setting>
);

export function SwitchSettingField({
  form,
  name,
  children,
}: {
  form: SettingsForm;
  name: SettingName;
  children?: ReactNode;
}) {
  const id = useId();
  const { label, hint } = settingWords[name];
  return (
    <Setting form={form} name={name}>
      <label className="check settings-switch">
        <input type="checkbox" name={name} aria-describedby={id} />
        {label}
      </label>
      <div id={id} className="field-hint">
        <p>{hint}</p>
        {children}
      </div>
    </Setting>
  );
}
