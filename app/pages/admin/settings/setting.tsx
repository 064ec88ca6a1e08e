import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { settingWords, settingsScreen as words } from '../../../copy/admin/settings.ts';
import type { TextSetting } from '../../../models/settings/form.ts';
import { typedValue } from '../../../models/settings/form.ts';
import { settingInWords } from '../../../models/settings/history.ts';
import { builtIn, type SettingName, sameSetting, settings, valueInForce } from '../../../models/settings/settings.ts';
import { Field, TextField } from '../../../ui/form/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** Settings that belong together, and where to see them. */
export function Group({ title, see, children }: { title: string; see: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="settings-group" aria-labelledby={id}>
      <div className="screen-section">
        <h2 id={id}>{title}</h2>
        <a href={see} target="_blank" rel="noopener">
          {words.seeIt}
          <span className="hidden-text"> ({title}, opens a new tab)</span> <Icon name="arrow-out" />
        </a>
      </div>
      <div className="settings-fields">{children}</div>
    </section>
  );
}

/** Around the field or fields of one setting: whether it is saved, what somebody else saved, what is built in. */
export function Setting({ form, name, children }: { form: SettingsForm; name: SettingName; children: ReactNode }) {
  const { label } = settingWords[name];
  const stored = form.stored[name];
  const changed = form.changed.includes(name);
  const own = !sameSetting(name, typedValue(name, form.fields), builtIn(name));
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

/** A setting that is one line of text. */
export const TextSettingField = ({
  form,
  name,
  ...input
}: { form: SettingsForm; name: TextSetting } & Omit<InputHTMLAttributes<HTMLInputElement>, 'form'>) => (
  <Setting form={form} name={name}>
    <TextField
      {...input}
      {...settingWords[name]}
      name={name}
      required
      value={form.fields[name]}
      error={form.errors[name]}
      onChange={(event) => form.set(name, event.target.value)}
    />
  </Setting>
);

/** A setting that is several lines of text. */
export const LinesSettingField = ({
  form,
  name,
  required = false,
  rows,
}: {
  form: SettingsForm;
  name: 'address' | 'picture_hosts' | 'default_description';
  required?: boolean;
  rows: number;
}) => (
  <Setting form={form} name={name}>
    <Field {...settingWords[name]} required={required} error={form.errors[name]}>
      {(aria) => (
        <textarea
          {...aria}
          className="field-input settings-lines"
          name={name}
          rows={rows}
          value={form.fields[name]}
          onChange={(event) => form.set(name, event.target.value)}
        />
      )}
    </Field>
  </Setting>
);

/** A setting that is on or off. @param children what is said about it beside its hint */
export function SwitchSettingField({
  form,
  name,
  children,
}: {
  form: SettingsForm;
  name: 'analytics' | 'admins_need_second_factor' | 'publishing_needs_checks';
  children?: ReactNode;
}) {
  const id = useId();
  const { label, hint } = settingWords[name];
  return (
    <Setting form={form} name={name}>
      <label className="check settings-switch">
        <input
          type="checkbox"
          name={name}
          aria-describedby={id}
          checked={form.fields[name]}
          onChange={(event) => form.set(name, event.target.checked)}
        />
        {label}
      </label>
      <div id={id} className="field-hint">
        <p>{hint}</p>
        {children}
      </div>
    </Setting>
  );
}
