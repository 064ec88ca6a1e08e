import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { messageOf } from '../../../models/api-error.ts';
import { checkFields, type FieldErrors, type ProjectFields, valuesOf } from '../../../models/project-form.ts';
import type { ProjectValues } from '../../../models/project-record.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { RichTextEditor } from '../../../ui/editor/rich-text-editor.tsx';
import { BudgetInputs, DateInputs, StatusInput, TitleAndClient } from './project-inputs.tsx';

type Text = 'description' | 'understanding' | 'actions' | 'impact';

const TEXTS: { name: Text; label: string }[] = [
  { name: 'description', label: 'The Brief' },
  { name: 'understanding', label: 'Our Understanding' },
  { name: 'actions', label: 'What We Did' },
  { name: 'impact', label: 'The Impact' },
];

/** The fields of a project, for a new one and for changing one. `rail` stands beside the form, under the status. */
export function ProjectForm({
  initial,
  submitLabel,
  busyLabel,
  failed,
  cancel,
  rail,
  onSubmit,
}: {
  initial: ProjectFields;
  submitLabel: string;
  busyLabel: string;
  /** Shown when the failure says nothing. */
  failed: string;
  cancel: ReactNode;
  rail?: ReactNode;
  onSubmit: (values: ProjectValues) => Promise<void>;
}) {
  const [fields, setFields] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const set = (change: Partial<ProjectFields>) => setFields((known) => ({ ...known, ...change }));

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = checkFields(fields);
    setErrors(found);
    setFailure(null);
    const [first] = Object.keys(found);
    if (first) {
      form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    setBusy(true);
    try {
      await onSubmit(valuesOf(fields));
    } catch (error) {
      setFailure(messageOf(error, failed));
      form.current?.scrollIntoView({ block: 'start' });
    } finally {
      setBusy(false);
    }
  }

  const inputs = { fields, errors, set };
  return (
    <form className="project-form" ref={form} onSubmit={submit} noValidate>
      {failure && (
        <div className="project-form-banner">
          <Banner kind="error">{failure}</Banner>
        </div>
      )}
      <div className="form-stack">
        <TitleAndClient {...inputs} />
        {TEXTS.map(({ name, label }) => (
          <RichTextEditor
            key={name}
            label={label}
            value={fields[name]}
            onChange={(html: string) => set({ [name]: html })}
          />
        ))}
      </div>
      <div className="form-rail">
        <StatusInput {...inputs} hint="Readers find active and completed projects." />
        <BudgetInputs {...inputs} />
        <DateInputs {...inputs} />
        {rail}
      </div>
      <div className="form-bar">
        <Button type="submit" size="admin" busy={busy} busyLabel={busyLabel}>
          {submitLabel}
        </Button>
        {cancel}
      </div>
    </form>
  );
}
