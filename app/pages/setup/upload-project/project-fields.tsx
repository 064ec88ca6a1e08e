import { type Category, categories } from '../../../copy/categories.ts';
import type { FieldErrors, ProjectFields } from '../../../models/project-form.ts';
import { STATUSES } from '../../../models/project-status.ts';
import type { Upload } from '../../../models/project-upload.ts';
import { withTag } from '../../../models/submission.ts';
import { RichTextEditor } from '../../../ui/editor/rich-text-editor.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { TagsField } from '../../../ui/tags-field.tsx';

type Text = 'description' | 'understanding' | 'actions' | 'impact';

const TEXTS: { name: Text; label: string }[] = [
  { name: 'description', label: 'Description' },
  { name: 'understanding', label: 'Our Understanding' },
  { name: 'actions', label: 'What We Did' },
  { name: 'impact', label: 'The Impact' },
];

/** The fields of a project, one under the other. */
export function ProjectFieldset({
  upload: { fields, category, tags },
  round,
  errors,
  onChange,
}: {
  upload: Upload;
  /** How often the form was cleared. */
  round: number;
  errors: FieldErrors;
  onChange: (change: (known: Upload) => Partial<Upload>) => void;
}) {
  const set = (change: Partial<ProjectFields>) => onChange((known) => ({ fields: { ...known.fields, ...change } }));
  return (
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
      {TEXTS.map(({ name, label }) => (
        // A cleared form gets new editors: what can be undone in the old ones belongs to the old project.
        <RichTextEditor
          key={`${round} ${name}`}
          label={label}
          value={fields[name]}
          onChange={(html) => set({ [name]: html })}
        />
      ))}
      <div className="upload-pair">
        <SelectField
          label="Category"
          name="category"
          value={category}
          onChange={(event) => onChange(() => ({ category: event.target.value as Category | '' }))}
        >
          <option value="">None</option>
          {categories.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Status"
          name="status"
          required
          value={fields.status}
          error={errors.status}
          onChange={(event) => set({ status: event.target.value })}
        >
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </SelectField>
      </div>
      <TagsField
        tags={tags}
        onAdd={(typed) => onChange((known) => ({ tags: withTag(known.tags, typed) }))}
        onRemove={(tag) => onChange((known) => ({ tags: known.tags.filter((other) => other !== tag) }))}
      />
      <div className="upload-pair">
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
      </div>
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
}
