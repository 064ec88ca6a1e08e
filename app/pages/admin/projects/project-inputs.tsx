import { editing as words } from '../../../copy/admin/project-editing.ts';
import type { FieldErrors, ProjectFields } from '../../../models/project/form.ts';
import { isListed, STATUSES } from '../../../models/project/status.ts';
import { withTag } from '../../../models/project/tags.ts';
import { CategoryField } from '../../../ui/form/category-field.tsx';
import { SelectField, TextField } from '../../../ui/form/field.tsx';
import { TagsField } from '../../../ui/form/tags-field.tsx';
import { longDay } from '../../../ui/time.tsx';

/** Fields of a project, what is wrong with them, and how to change them. */
interface Inputs {
  fields: ProjectFields;
  errors: FieldErrors;
  set: (change: Partial<ProjectFields>) => void;
}

export const TitleAndClient = ({ fields, errors, set }: Inputs) => (
  <>
    <TextField
      label="Title"
      name="title"
      required
      maxLength={200}
      autoComplete="off"
      value={fields.title}
      error={errors.title}
      onChange={(event) => set({ title: event.target.value })}
    />
    <TextField
      label="Client"
      name="client"
      maxLength={200}
      autoComplete="off"
      value={fields.client}
      onChange={(event) => set({ client: event.target.value })}
    />
  </>
);

export const StatusInput = ({ fields, errors, set, hint }: Inputs & { hint?: string }) => (
  <SelectField
    label="Status"
    name="status"
    required
    value={fields.status}
    error={errors.status}
    hint={hint}
    onChange={(event) => set({ status: event.target.value })}
  >
    {STATUSES.map((status) => (
      <option key={status} value={status}>
        {words.status(status, isListed(status))}
      </option>
    ))}
  </SelectField>
);

/** What it is filed under on the public list. */
export const CategoryInput = ({ fields, set, hint }: Inputs & { hint?: string }) => (
  <CategoryField name="category" value={fields.category} hint={hint} onChoose={(category) => set({ category })} />
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

export const BudgetInputs = ({ fields, errors, set }: Inputs) => (
  <>
    <TextField
      label="Budget"
      name="budget"
      type="number"
      inputMode="decimal"
      min={0}
      step={0.01}
      hint="In US dollars"
      value={fields.budget}
      error={errors.budget}
      onChange={(event) => set({ budget: event.target.value })}
    />
    <label className="check">
      <input
        type="checkbox"
        name="showBudget"
        checked={fields.showBudget}
        onChange={(event) => set({ showBudget: event.target.checked })}
      />
      Show the budget publicly
    </label>
  </>
);

/** The day written out: a browser writes 11/07/2026 in the order of its own language. */
const dayInWords = (day: string) => (day && !Number.isNaN(Date.parse(day)) ? longDay(day) : words.noDay);

export const DateInputs = ({ fields, errors, set }: Inputs) => (
  <>
    <TextField
      label="Start date"
      name="startDate"
      type="date"
      min="1900-01-01"
      max="2200-12-31"
      hint={dayInWords(fields.startDate)}
      value={fields.startDate}
      onChange={(event) => set({ startDate: event.target.value })}
    />
    <TextField
      label="End date"
      name="endDate"
      type="date"
      min="1900-01-01"
      max="2200-12-31"
      hint={dayInWords(fields.endDate)}
      value={fields.endDate}
      error={errors.endDate}
      onChange={(event) => set({ endDate: event.target.value })}
    />
  </>
);
