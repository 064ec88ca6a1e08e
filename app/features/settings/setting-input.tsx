import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { flushSync } from 'react-dom';
import type { TextFormat } from '#lib/fields/text-field.ts';
import { Button } from '#ui/form/button.tsx';
import { Field, TextField } from '#ui/form/field.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { focusField } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { SettingsSection } from './group.tsx';
import { LogoInput } from './logo-input.tsx';
import { type DraftRecord, emptyEntry, type FieldDraft, type SettingErrors } from './model/form.ts';
import { tooManyLines } from './model/settings.ts';
import type { SettingField } from './model/table.ts';
import './settings.css';

const INPUTS: Partial<Record<TextFormat | SettingField['kind'], InputHTMLAttributes<HTMLInputElement>>> = {
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

interface InputProps<Drafted> {
  name: string;
  draft: Drafted;
  errors: SettingErrors;
  onChange: (draft: Drafted) => void;
}

export function SettingInput({
  field,
  name,
  draft,
  errors,
  onChange,
}: InputProps<FieldDraft> & { field: SettingField }) {
  const id = useId();
  const { kind, label, help } = field;
  if (kind === 'record')
    return (
      <div className="grid top setting-fields shrink">
        <SettingInputs
          fields={field.fields}
          name={name}
          draft={draft as DraftRecord}
          errors={errors}
          onChange={onChange}
        />
      </div>
    );
  if (kind === 'list')
    return (
      <EntryList
        title={label}
        about={help}
        see={field.see}
        noun={field.noun[0]}
        most={field.most}
        name={name}
        error={errors[name]}
        entries={draft as DraftRecord[]}
        additions={[{ label: `Add a ${field.noun[0]}`, entry: emptyEntry(field) as DraftRecord }]}
        nameOf={(entry) => String(entry['name'])}
        onChange={onChange}
      >
        {({ name, entry, onChange }) => (
          <SettingInputs fields={field.fields} name={name} draft={entry} errors={errors} onChange={onChange} />
        )}
      </EntryList>
    );
  if (kind === 'switch')
    return (
      <>
        <label className="check bold">
          <input
            type="checkbox"
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
  if (kind === 'logo') return <LogoInput field={field} name={name} logo={text} onChange={onChange} />;
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

const SettingInputs = ({
  fields,
  name,
  draft,
  onChange,
  ...more
}: InputProps<DraftRecord> & { fields: Record<string, SettingField> | readonly SettingField[] }) =>
  Object.entries(fields).map(([key, field]) => (
    <SettingInput
      key={key}
      field={field}
      name={`${name}.${key}`}
      draft={draft[key]!}
      onChange={(next) => onChange({ ...draft, [key]: next })}
      {...more}
    />
  ));

/** Ordered entries with the fields of each. @param additions buttons that add an entry, which begins as given */
export function EntryList<Entry extends object>({
  title,
  about,
  see,
  noun,
  most,
  name,
  error,
  entries,
  additions,
  nameOf,
  onChange,
  children,
}: {
  title: string;
  about?: string | undefined;
  see?: string | undefined;
  noun: string;
  most: number;
  name: string;
  error: string | undefined;
  entries: readonly Entry[];
  additions: readonly { label: string; entry: Entry }[];
  nameOf: (entry: Entry) => string;
  onChange: (entries: Entry[]) => void;
  children: (input: { name: string; entry: Entry; onChange: (entry: Entry) => void }) => ReactNode;
}) {
  function change({ form }: HTMLButtonElement, next: Entry[], focused: string) {
    // Renders synchronously, so that the next keystroke reaches the new field.
    flushSync(() => onChange(next));
    focusField(form, focused);
  }

  function move(button: HTMLButtonElement, at: number, by: 1 | -1) {
    const to = at + by;
    const isEnd = to === 0 || to === entries.length - 1;
    const direction = (isEnd ? -by : by) > 0 ? 'down' : 'up';
    change(button, entries.toSpliced(at, 1).toSpliced(to, 0, entries[at]!), `${name}.${to}.${direction}`);
  }

  return (
    <SettingsSection title={title} see={see} about={about} role="group">
      <div className="form-stack entry-list">
        <ol className="hairline">
          {entries.map((entry, at) => {
            const called = nameOf(entry).trim() || `${noun} ${at + 1}`;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no state of its own
              <li className="row" key={at}>
                <fieldset className="grid top setting-fields shrink row-words">
                  <legend className="hidden-text">
                    {`${noun[0]!.toUpperCase()}${noun.slice(1)}`} {at + 1}
                  </legend>
                  {children({
                    name: `${name}.${at}`,
                    entry,
                    onChange: (changed) => onChange(entries.with(at, changed)),
                  })}
                </fieldset>
                <div>
                  <StepButtons
                    field={`${name}.${at}`}
                    name={called}
                    first={at === 0}
                    last={at === entries.length - 1}
                    onStep={(by, button) => move(button, at, by)}
                  />
                  <button
                    type="button"
                    className="icon-button icon-button-danger"
                    aria-label={`Remove ${called}`}
                    onClick={({ currentTarget }) => {
                      const left = entries.toSpliced(at, 1);
                      change(currentTarget, left, left.length > 0 ? `${name}.${Math.min(at, left.length - 1)}` : name);
                    }}
                  >
                    <Icon name="trash" />
                  </button>
                </div>
              </li>
            );
          })}
        </ol>
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
        <div className="button-row">
          {additions.map(({ label, entry }) => (
            <Button
              key={label}
              variant="secondary"
              size="admin"
              name={name}
              disabled={entries.length >= most}
              onClick={({ currentTarget }) => change(currentTarget, [...entries, entry], `${name}.${entries.length}`)}
            >
              <Icon name="plus" /> {label}
            </Button>
          ))}
        </div>
      </div>
    </SettingsSection>
  );
}
