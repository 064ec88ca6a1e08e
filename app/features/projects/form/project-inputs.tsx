import type { ChangeEvent, InputHTMLAttributes } from 'react';
import { useFacts } from '#context/use-facts.ts';
import type { TextPlace } from '#features/reviews/model/content-checks.ts';
import { MAX_ADDRESS_LENGTH, MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import type { Category } from '#lib/words/categories.ts';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import { CategoryField } from '#ui/form/category-field.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { longDay } from '#ui/time.tsx';
import { type FieldsOfKind, fieldsOfKind, PROJECT_FIELDS, type ProjectFields } from '../model/fields.ts';
import type { FieldErrors } from '../model/form.ts';
import { isListed, STATUSES } from '../model/status.ts';
import { withTag } from '../model/tags.ts';

export type Inputs = { fields: ProjectFields; errors: FieldErrors; set: (change: Partial<ProjectFields>) => void };

type Change = ChangeEvent<HTMLInputElement | HTMLSelectElement>;

const inputOf = (name: FieldsOfKind<'line' | 'status' | 'money' | 'day'>, { fields, errors, set }: Inputs) => ({
  name,
  label: PROJECT_FIELDS[name].label,
  value: fields[name],
  error: errors[name],
  onChange: ({ target }: Change) => set({ [name]: target.value }),
});

const LINE = { maxLength: MAX_LINE_LENGTH, autoComplete: 'off' };

export const LineInputs = (inputs: Inputs) =>
  fieldsOfKind('line').map((name) => (
    <TextField key={name} {...inputOf(name, inputs)} {...LINE} required={name === 'title'} />
  ));

type TextInputsProps = Inputs & { brief: string; place?: TextPlace | null };

export const TextInputs = ({ fields, set, brief, place = null }: TextInputsProps) =>
  fieldsOfKind('html').map((name) => (
    <RichTextEditor
      key={name}
      name={name}
      label={name === 'description' ? brief : PROJECT_FIELDS[name].label}
      value={fields[name]}
      onChange={(html) => set({ [name]: html })}
      place={place?.text === (name === 'description' ? 'brief' : name) ? place : null}
    />
  ));

const STATUS_OPTIONS = Object.fromEntries(
  STATUSES.map((status) => [status, isListed(status) ? `${status} (public)` : status]),
);

export const StatusInput = ({ hint, ...inputs }: Inputs & { hint?: string }) => (
  <SelectField {...inputOf('status', inputs)} required hint={hint} options={STATUS_OPTIONS} />
);

export const TagsInput = ({ fields: { tags }, errors, set }: Inputs) => (
  <TagsField
    name="tags"
    tags={tags}
    error={errors.tags}
    onAdd={(typed) => set({ tags: withTag(tags, typed) })}
    onRemove={(tag) => set({ tags: tags.filter((other) => other !== tag) })}
  />
);

export const CategoryInput = ({ fields, set, hint }: Inputs & { hint?: string }) => {
  const onChange = ({ target }: Change) => set({ category: target.value as Category | '' });
  return <CategoryField value={fields.category} onChange={onChange} hint={hint} />;
};

const DOLLARS = { type: 'number', inputMode: 'decimal', min: 0, step: 0.01, hint: 'In US dollars' } as const;

export const BudgetInputs = (inputs: Inputs) => (
  <>
    <TextField {...inputOf('budget', inputs)} {...DOLLARS} />
    <label className="check">
      <input
        type="checkbox"
        name="show_budget"
        checked={inputs.fields.show_budget}
        onChange={({ target }) => inputs.set({ show_budget: target.checked })}
      />
      Show the budget publicly
    </label>
  </>
);

const DAY = { type: 'date', min: '1900-01-01', max: '2200-12-31' };

export const DateInputs = (inputs: Inputs) =>
  fieldsOfKind('day').map((name) => (
    <TextField key={name} {...inputOf(name, inputs)} {...DAY} hint={dayHint(inputs.fields[name])} />
  ));

// Names the month, because browsers order 11/07/2026 by their own locale.
const dayHint = (day: string) => (day && !Number.isNaN(Date.parse(day)) ? longDay(day) : 'No day chosen');

const FACT_INPUTS: Partial<Record<string, InputHTMLAttributes<HTMLInputElement>>> = {
  number: { inputMode: 'decimal' },
  link: { type: 'url', placeholder: 'https://', maxLength: MAX_ADDRESS_LENGTH },
  date: { ...DAY, max: '2199-12-31' },
};

/** The fields that admins define in the settings. */
export function FactInputs({ fields: { facts }, errors, set }: Inputs) {
  const { projectFacts } = useFacts();
  return projectFacts.map(({ id, kind, name: label, help, required, options = [] }) => {
    const name = `facts.${id}` as const;
    const value = facts[id] ?? '';
    const choices = value && !options.includes(value) ? [...options, value] : options;
    const hints = [help, required && 'Published projects need it.', kind === 'date' && value && longDay(value)];
    const input = {
      label,
      name,
      value,
      error: errors[name],
      hint: hints.filter(Boolean).join(' '),
      onChange: ({ target }: Change) => set({ facts: { ...facts, [id]: target.value } }),
    };
    return kind === 'choice' ? (
      <SelectField key={id} {...input}>
        <option value="">Not given</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </SelectField>
    ) : (
      <TextField key={id} {...input} {...LINE} {...FACT_INPUTS[kind]} />
    );
  });
}
