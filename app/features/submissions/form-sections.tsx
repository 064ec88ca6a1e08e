import type { ComponentProps, ReactNode } from 'react';
import { CreditsEditor } from '#features/credits/credits-editor.tsx';
import { tagsProblem, withTag } from '#features/projects/model/tags.ts';
import type { Category } from '#lib/words/categories.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import { Button } from '#ui/form/button.tsx';
import { CategoryField } from '#ui/form/category-field.tsx';
import { TextField } from '#ui/form/field.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { type CheckedField, SUBMISSION_FIELDS, type Submission, TEXTS } from './model/submission.ts';
import { mustStayOpen, type SubmissionState, unsavedFileNames } from './model/submission-state.ts';
import type { FormPlace } from './use-form-focus.ts';
import type { SubmissionActions, SubmissionProps } from './use-submission.ts';
import { deviceWords } from './words/device.ts';

export const FormSection = ({ number, title, children }: { number: number; title: string; children: ReactNode }) => (
  <section className="stack gap-5" aria-labelledby={`sheet-${number}`}>
    <header className="submit-head rule pad-top-4 inline bottom gap-4">
      <span className="edged submit-number on-hand relative center" aria-hidden="true">
        {number}
      </span>
      <h2 id={`sheet-${number}`} className="narrow">
        {title}
      </h2>
    </header>
    {children}
  </section>
);

const errorOf = ({ failure }: SubmissionState, field: CheckedField) => failure?.field === field && failure.message;

const change = (actions: SubmissionActions | null, part: Partial<Submission>) =>
  actions?.dispatch({ type: 'changed', change: part });

type LineFieldProps = SubmissionProps & ComponentProps<'input'> & { name: 'title' | 'client' | 'contact' };

const LineField = ({ name, required, state, actions, ...input }: LineFieldProps) => (
  <TextField
    id={`submit-${name}`}
    name={name}
    {...input}
    {...SUBMISSION_FIELDS[name]}
    // After the fields' own `required`, which is a message.
    required={required}
    value={state.submission[name]}
    error={errorOf(state, name)}
    onChange={({ target }) => change(actions, { [name]: target.value })}
  />
);

export function Basics({ state, actions }: SubmissionProps) {
  const { category, tags } = state.submission;
  return (
    <FormSection number={1} title="Experiment Basics">
      <LineField name="title" state={state} actions={actions} required enterKeyHint="next" />
      <div className="grid gap-5">
        <LineField name="client" state={state} actions={actions} />
        <CategoryField
          hint="Where people will look for it."
          value={category}
          onChange={({ target }) => change(actions, { category: target.value as Category | '' })}
        />
      </div>
      <TagsField
        id="submit-tags"
        tags={tags}
        error={tagsProblem(tags)}
        onAdd={(typed) => {
          const added = withTag(tags, typed);
          if (added !== tags) change(actions, { tags: added });
        }}
        onRemove={(tag) => change(actions, { tags: tags.filter((other) => other !== tag) })}
      />
    </FormSection>
  );
}

export const Content = ({ state, actions, place }: SubmissionProps & { place: FormPlace | null }) => (
  <FormSection number={3} title="Experiment Content">
    {TEXTS.map((name) => (
      <RichTextEditor
        key={name}
        id={`submit-${name}`}
        name={name}
        label={SUBMISSION_FIELDS[name].label}
        hint={SUBMISSION_FIELDS[name].hint}
        required
        value={state.submission[name]}
        error={errorOf(state, name)}
        onChange={(html) => change(actions, { [name]: html })}
        onNear={() => actions?.prepare()}
        place={place?.text === name ? place : null}
        onLargePicture={(file) => void actions?.addFiles([file])}
      />
    ))}
  </FormSection>
);

export const Credits = ({ state, actions }: SubmissionProps) => (
  <FormSection number={4} title="Who made what (optional)">
    <CreditsEditor
      id="submit-credits"
      rows={state.submission.credits}
      complain={state.failure?.field === 'credits'}
      onChange={(credits) => change(actions, { credits })}
    />
  </FormSection>
);

export function Contact({ state, actions }: SubmissionProps) {
  const user = useSignedIn();
  return user?.email && !state.submission.contact ? (
    <p>If we have a question about this experiment, we write to {user.email}.</p>
  ) : (
    <LineField name="contact" state={state} actions={actions} type="email" autoComplete="email" />
  );
}

type SendRowProps = SubmissionProps & { label: string; busyLabel: string };

export const SendRow = ({ state, actions, label, busyLabel }: SendRowProps) => (
  <div className="cluster gap-5 submit-send rule pad-top-5">
    <Button type="submit" disabled={!actions} busy={state.phase === 'submitting'} busyLabel={busyLabel}>
      {label}
    </Button>
    <p>
      <span role="status">{state.step ?? (mustStayOpen(state) && savedLine(state))}</span>
      {!state.step && !mustStayOpen(state) && savedLine(state)}
    </p>
  </div>
);

export const SaveLine = ({ state }: { state: SubmissionState }) => (
  <p
    className="slip submit-saved hairline-below pad-y-4 pad-x-5"
    data-saved={state.saved}
    data-lacks={unsavedFileNames(state).length > 0 || undefined}
  >
    {savedLine(state)}
  </p>
);

function savedLine(state: SubmissionState): string {
  const { saved, hasLocks } = state;
  const unsaved = unsavedFileNames(state);
  if (saved === 'saved' && unsaved.length > 0)
    return `Saved on this device, but not ${unsaved.join(', ')}: keep this page open until it is uploaded.`;
  return saved === 'saved' && !hasLocks ? deviceWords.tabsUnknown : deviceWords.saved[saved];
}
