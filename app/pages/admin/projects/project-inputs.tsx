import type { FieldErrors, ProjectFields } from '../../../models/project-form.ts';
import { STATUSES } from '../../../models/project-status.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';

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
      <option key={status}>{status}</option>
    ))}
  </SelectField>
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
        checked={fields.showBudget}
        onChange={(event) => set({ showBudget: event.target.checked })}
      />
      Show the budget publicly
    </label>
  </>
);

export const DateInputs = ({ fields, errors, set }: Inputs) => (
  <>
    <TextField
      label="Start date"
      name="startDate"
      type="date"
      min="1900-01-01"
      max="2200-12-31"
      value={fields.startDate}
      onChange={(event) => set({ startDate: event.target.value })}
    />
    <TextField
      label="End date"
      name="endDate"
      type="date"
      min="1900-01-01"
      max="2200-12-31"
      value={fields.endDate}
      error={errors.endDate}
      onChange={(event) => set({ endDate: event.target.value })}
    />
  </>
);
