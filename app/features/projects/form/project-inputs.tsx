import type { ComponentProps } from 'react';
import type { TextPlace } from '#features/reviews/model/content-checks.ts';
import { LONGEST_LINE } from '#lib/data/limits.ts';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import { CategoryField } from '#ui/form/category-field.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import { useTyped } from '#ui/form/use-typed.ts';
import { longDay } from '#ui/time.tsx';
import type { FieldErrors, ProjectFields } from '../model/form.ts';
import { isListed, STATUSES } from '../model/status.ts';
import { withTag } from '../model/tags.ts';
import { editing as words } from '../words.ts';

export interface Inputs {
  fields: ProjectFields;
  errors: FieldErrors;
  form: HTMLFormElement | null;
  set: (change: Partial<ProjectFields>) => void;
}

export const TitleAndClient = ({ fields, errors }: Inputs) => (
  <>
    <TextField
      label="Title"
      name="title"
      required
      maxLength={LONGEST_LINE}
      autoComplete="off"
      defaultValue={fields.title}
      error={errors.title}
    />
    <TextField label="Client" name="client" maxLength={LONGEST_LINE} autoComplete="off" defaultValue={fields.client} />
  </>
);

const TEXTS = [
  ['description', null],
  ['understanding', 'Our Understanding'],
  ['actions', 'What We Did'],
  ['impact', 'The Impact'],
] as const;

export const TextInputs = ({
  fields,
  set,
  brief,
  place = null,
}: Inputs & { brief: string; place?: TextPlace | null }) =>
  TEXTS.map(([name, label]) => (
    <RichTextEditor
      key={name}
      name={name}
      label={label ?? brief}
      value={fields[name]}
      onChange={(html) => set({ [name]: html })}
      place={place?.text === (name === 'description' ? 'brief' : name) ? place : null}
    />
  ));

export const StatusInput = ({ fields, errors, hint }: Inputs & { hint?: string }) => (
  <SelectField label="Status" name="status" required defaultValue={fields.status} error={errors.status} hint={hint}>
    {STATUSES.map((status) => (
      <option key={status} value={status}>
        {words.status(status, isListed(status))}
      </option>
    ))}
  </SelectField>
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

export const CategoryInput = ({ fields, hint }: Inputs & { hint?: string }) => (
  <CategoryField defaultValue={fields.category} hint={hint} />
);

export const BudgetInputs = ({ fields, errors }: Inputs) => (
  <>
    <TextField
      label="Budget"
      name="budget"
      type="number"
      inputMode="decimal"
      min={0}
      step={0.01}
      hint="In US dollars"
      defaultValue={fields.budget}
      error={errors.budget}
    />
    <label className="check">
      <input type="checkbox" name="showBudget" defaultChecked={fields.showBudget} />
      Show the budget publicly
    </label>
  </>
);

export const DateInputs = ({ fields, errors, form }: Inputs) => (
  <>
    <DateInput label="Start date" name="startDate" defaultValue={fields.startDate} form={form} />
    <DateInput label="End date" name="endDate" defaultValue={fields.endDate} error={errors.endDate} form={form} />
  </>
);

function DateInput({
  form,
  ...field
}: Pick<ComponentProps<typeof TextField>, 'label' | 'error'> & {
  name: 'startDate' | 'endDate';
  defaultValue: string;
  form: HTMLFormElement | null;
}) {
  const day = useTyped(form, (typed) => textIn(typed, field.name)) ?? field.defaultValue;
  // The date in words: browsers display 11/07/2026 in the order of their own locale.
  const hint = day && !Number.isNaN(Date.parse(day)) ? longDay(day) : words.noDay;
  return <TextField {...field} type="date" min="1900-01-01" max="2200-12-31" hint={hint} />;
}
