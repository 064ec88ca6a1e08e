import type { FieldErrors, ProjectFields } from '../../../models/project/form.ts';
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
export function ProjectFieldset(inputs: {
  fields: ProjectFields;
  errors: FieldErrors;
  form: HTMLFormElement | null;
  set: (change: Partial<ProjectFields>) => void;
}) {
  const { fields, set } = inputs;
  return (
    <>
      <TitleAndClient {...inputs} />
      {TEXTS.map(({ name, label }) => (
        <RichTextEditor
          key={name}
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
