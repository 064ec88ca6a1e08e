import { type InputHTMLAttributes, useId } from 'react';
import { SettingsSection } from '#features/settings/group.tsx';
import { tooManyLines } from '#lib/fields/check-field.ts';
import type { ErrorsByPlace, FieldSpec, Fields, PagePicture, Values } from '#lib/fields/field.ts';
import type { TextFormat } from '#lib/fields/text-formats.ts';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import { SelectField, TextAreaField, TextField } from '#ui/form/field.tsx';
import { EntryList } from './entry-list.tsx';
import { LogoInput } from './logo-input.tsx';
import { PictureInput } from './picture-input.tsx';
import '../settings/settings.css';

const INPUTS: Partial<Record<TextFormat | FieldSpec['kind'], InputHTMLAttributes<HTMLInputElement>>> = {
  email: { type: 'email' },
  phone: { type: 'tel' },
  chat: { inputMode: 'numeric' },
  web: { type: 'url' },
  colour: { type: 'color' },
  number: { inputMode: 'numeric' },
  amount: { inputMode: 'numeric' },
  day: { type: 'date' },
  time: { type: 'time' },
};

interface InputProps<Draft> {
  name: string;
  draft: Draft;
  errors: ErrorsByPlace;
  onChange: (draft: Draft) => void;
}

/** The inputs of a field of any kind. @param draft what the form shows of its value: `draftOf` */
export function FieldInput({ field, ...input }: InputProps<unknown> & { field: FieldSpec }) {
  const id = useId();
  const { name, draft, errors, onChange } = input;
  const { kind, label, help } = field;
  const described = { label, hint: help, name, error: errors[name] };
  switch (kind) {
    case 'record': {
      const inputs = (
        <div className={`grid top setting-fields ${field.titled ? '' : 'shrink'}`.trim()}>
          <FieldInputs {...input} fields={field.fields} draft={draft as Values} />
        </div>
      );
      return field.titled ? (
        <SettingsSection title={label} about={help} role="group">
          {inputs}
        </SettingsSection>
      ) : (
        inputs
      );
    }
    case 'list':
    case 'sections':
      return (
        <EntryList {...input} field={field} draft={draft as Values[]}>
          {(entry) => <FieldInputs {...entry} errors={errors} />}
        </EntryList>
      );
    case 'html':
      return <RichTextEditor {...described} value={draft as string} onChange={onChange} />;
    case 'choice':
      return (
        <SelectField
          {...described}
          options={field.options}
          value={draft as string}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'id':
      return null;
    case 'picture':
      return <PictureInput {...input} field={field} picture={draft as PagePicture} />;
    case 'logo':
      return <LogoInput field={field} name={name} logo={draft as string} onChange={onChange} />;
    case 'switch':
      return (
        <div className="stack gap-2">
          <label className="check bold">
            <input
              type="checkbox"
              name={name}
              aria-describedby={id}
              checked={draft as boolean}
              onChange={({ target }) => onChange(target.checked)}
            />
            {label}
          </label>
          <p className="field-hint" id={id}>
            {help}
          </p>
        </div>
      );
  }
  const text = draft as string;
  const common = { name, value: text, 'aria-required': !('optional' in field) };
  if (!('rows' in field))
    return (
      <TextField
        {...described}
        {...common}
        autoComplete="off"
        maxLength={kind === 'text' ? field.limit : undefined}
        onChange={({ target }) => onChange(target.value)}
        {...INPUTS[(kind === 'text' && field.format) || kind]}
      />
    );
  return (
    <TextAreaField
      {...described}
      {...common}
      error={errors[name] || (kind === 'text' && tooManyLines(field, text))}
      limit={kind === 'text' ? field.limit : undefined}
      className="setting-lines"
      rows={field.rows}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

export const FieldInputs = ({ fields, name, draft, onChange, errors }: InputProps<Values> & { fields: Fields }) =>
  Object.entries(fields).map(([key, field]) => (
    <FieldInput
      key={key}
      field={field}
      name={name ? `${name}.${key}` : key}
      draft={draft[key]}
      errors={errors}
      onChange={(next) => onChange({ ...draft, [key]: next })}
    />
  ));
