import type { TextPlace } from '#features/reviews/model/content-checks.ts';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import type { SubmissionForm } from '../form/form.ts';
import type { FormState } from '../form/form-state.ts';
import type { SubmissionText } from '../model/submission.ts';
import { Sheet } from '../sheet.tsx';
import { submissionWords as words } from '../words/submission.ts';

const EDITORS: { field: SubmissionText; label: string; hint: string }[] = [
  { field: 'brief', label: words.brief, hint: 'What was asked, by whom, and why.' },
  { field: 'understanding', label: words.understanding, hint: 'What the real problem turned out to be.' },
  { field: 'actions', label: words.actions, hint: 'Which hands and which machines did what.' },
  { field: 'impact', label: words.impact, hint: 'What changed. Numbers if you have them.' },
];

export const Content = ({
  state,
  form,
  place,
}: {
  state: FormState;
  form: SubmissionForm | null;
  place: TextPlace | null;
}) => (
  <Sheet number={3} title={words.content}>
    {EDITORS.map(({ field, label, hint }) => (
      <RichTextEditor
        key={field}
        id={`submit-${field}`}
        name={field}
        label={label}
        hint={hint}
        required
        value={state.submission[field]}
        error={state.failure?.field === field && state.failure.message}
        onChange={(html) => form?.change({ [field]: html })}
        onNear={() => form?.prepare()}
        place={place?.text === field ? place : null}
        onLargePicture={(file) => void form?.media.addFiles([file])}
      />
    ))}
  </Sheet>
);
