import { type InputHTMLAttributes, useId } from 'react';
import { Field, TextField } from '#ui/form/field.tsx';
import { EntryList } from './entry-list.tsx';
import type { SettingField, TextFormat } from './model/field.ts';
import type { DraftRecord, FieldDraft, SettingErrors } from './model/form.ts';
import { tooManyLines } from './model/settings.ts';

const INPUTS: Partial<Record<TextFormat | SettingField['kind'], InputHTMLAttributes<HTMLInputElement>>> = {
  email: { type: 'email' },
  phone: { type: 'tel' },
  chat: { inputMode: 'numeric' },
  web: { type: 'url' },
  number: { inputMode: 'numeric' },
  amount: { inputMode: 'numeric' },
  day: { type: 'date' },
  time: { type: 'time' },
};

interface InputProps<Drafted> {
  name: string;
  draft: Drafted;
  errors: SettingErrors;
  /** Of the first input. */
  firstRef?: ((element: HTMLElement | null) => void) | undefined;
  onChange: (draft: Drafted) => void;
}

export function SettingInput({
  field,
  name,
  draft,
  errors,
  firstRef,
  onChange,
}: InputProps<FieldDraft> & { field: SettingField }) {
  const id = useId();
  const { kind, label, help } = field;
  if (kind === 'record')
    return (
      <div className="grid top setting-fields">
        <SettingInputs
          fields={field.fields}
          name={name}
          draft={draft as DraftRecord}
          errors={errors}
          firstRef={firstRef}
          onChange={onChange}
        />
      </div>
    );
  if (kind === 'list')
    return <EntryList field={field} name={name} entries={draft as DraftRecord[]} errors={errors} onChange={onChange} />;
  if (kind === 'switch')
    return (
      <>
        <label className="check field-label">
          <input
            type="checkbox"
            ref={firstRef}
            name={name}
            aria-describedby={id}
            checked={draft as boolean}
            onChange={(event) => onChange(event.target.checked)}
          />
          {label}
        </label>
        <p className="field-hint" id={id}>
          {help}
        </p>
      </>
    );
  const text = draft as string;
  const optional = 'optional' in field;
  if ('rows' in field)
    return (
      <Field
        label={label}
        hint={help}
        error={errors[name] || (kind === 'text' && tooManyLines(field, text))}
        {...(kind === 'text' && { written: { text, limit: field.limit } })}
      >
        {(aria) => (
          <textarea
            {...aria}
            ref={firstRef}
            aria-required={!optional}
            className="field-input setting-lines"
            name={name}
            rows={field.rows}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    );
  return (
    <TextField
      label={label}
      hint={help}
      error={errors[name]}
      ref={firstRef}
      aria-required={!optional}
      autoComplete="off"
      name={name}
      maxLength={kind === 'text' ? field.limit : undefined}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      {...INPUTS[(kind === 'text' && field.format) || kind]}
    />
  );
}

export const SettingInputs = ({
  fields,
  name,
  draft,
  firstRef,
  onChange,
  ...more
}: InputProps<DraftRecord> & { fields: Record<string, SettingField> | readonly SettingField[] }) =>
  Object.entries(fields).map(([key, field], at) => (
    <SettingInput
      key={key}
      field={field}
      name={`${name}.${key}`}
      draft={draft[key]!}
      firstRef={at === 0 ? firstRef : undefined}
      onChange={(next) => onChange({ ...draft, [key]: next })}
      {...more}
    />
  ));
