import type { FieldErrors, ProjectFields } from '../../../models/project/form.ts';
import type { Upload } from '../../../models/project/upload.ts';
import { RichTextEditor } from '../../../ui/editor/rich-text-editor.tsx';
import {
  BudgetInputs,
  CategoryInput,
  DateInputs,
  StatusInput,
  TagsInput,
  TitleAndClient,
} from '../../admin/projects/project-inputs.tsx';

type Text = 'description' | 'understanding' | 'actions' | 'impact';

const TEXTS: { name: Text; label: string }[] = [
  { name: 'description', label: 'Description' },
  { name: 'understanding', label: 'Our Understanding' },
  { name: 'actions', label: 'What We Did' },
  { name: 'impact', label: 'The Impact' },
];

/** The fields of a project, one under the other. */
export function ProjectFieldset({
  upload: { fields },
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
  const inputs = { fields, errors, set };
  return (
    <>
      <TitleAndClient {...inputs} />
      {TEXTS.map(({ name, label }) => (
        // A cleared form gets new editors: what can be undone in the old ones belongs to the old project.
        <RichTextEditor
          key={`${round} ${name}`}
          name={name}
          label={label}
          value={fields[name]}
          onChange={(html) => set({ [name]: html })}
        />
      ))}
      <div className="upload-pair">
        <CategoryInput {...inputs} />
        <StatusInput {...inputs} />
      </div>
      <TagsInput {...inputs} />
      <div className="upload-pair">
        <DateInputs {...inputs} />
      </div>
      <BudgetInputs {...inputs} />
    </>
  );
}
