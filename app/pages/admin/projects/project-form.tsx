import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'react-router';
import { editing as words } from '../../../copy/admin/project-editing.ts';
import { creditWords } from '../../../copy/credits.ts';
import { placeIn } from '../../../models/review/content-checks.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { CreditsEditor } from '../../experiments/credits/credits-editor.tsx';
import './project-form.css';
import {
  BudgetInputs,
  CategoryInput,
  DateInputs,
  StatusInput,
  TagsInput,
  TextInputs,
  TitleAndClient,
} from './project-inputs.tsx';
import type { ProjectFormState, SaveProject } from './use-project-form.ts';

/** The fields of a project, for a new one and for changing one. */
export function ProjectForm({
  form,
  submitLabel,
  busyLabel,
  cancel,
  rail,
  people,
  onSave,
}: {
  form: ProjectFormState;
  submitLabel: string;
  busyLabel: string;
  cancel: ReactNode;
  /** Stands at the end of the side rail; saved apart from the form. */
  rail?: ReactNode;
  /** Names of the team, offered where people are credited. */
  people?: readonly string[];
  onSave: SaveProject;
}) {
  const { fields, errors, set, failure, busy, returned, unsaved, element } = form;
  const inputs = { fields, errors, form: element, set };
  const { hash } = useLocation();
  // Whoever comes to mend something begins at its place.
  const place = useMemo(() => placeIn(hash), [hash]);
  return (
    <form
      className="project-form"
      ref={form.attach}
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(onSave);
      }}
      noValidate
    >
      {returned && unsaved && (
        <div className="cluster project-form-banner project-form-returned">
          <Banner kind="info">{words.unsavedBack}</Banner>
          <Button variant="secondary" size="admin" onClick={form.discard}>
            {words.discard}
          </Button>
        </div>
      )}
      {failure && (
        <div className="project-form-banner">
          <Banner kind="error">{failure}</Banner>
        </div>
      )}
      <div className="form-stack">
        <TitleAndClient {...inputs} />
        <TextInputs {...inputs} brief="The Brief" place={place} />
        <section aria-labelledby="who-made-what">
          <h2 className="screen-section" id="who-made-what">
            {creditWords.title}
          </h2>
          <CreditsEditor
            id="project-credits"
            rows={fields.credits}
            complain={errors.credits !== undefined}
            people={people}
            onChange={(credits) => set({ credits })}
          />
        </section>
      </div>
      <div className="form-rail">
        <StatusInput {...inputs} hint="Readers find active and completed projects." />
        <CategoryInput {...inputs} hint={words.categoryHint} />
        <TagsInput {...inputs} />
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
