import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'react-router';
import { CreditsEditor } from '#features/credits/credits-editor.tsx';
import { placeIn } from '#features/reviews/model/content-checks.ts';
import { creditWords } from '#lib/words/credits.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import {
  BudgetInputs,
  CategoryInput,
  DateInputs,
  FactInputs,
  LineInputs,
  StatusInput,
  TagsInput,
  TextInputs,
} from './project-inputs.tsx';
import type { ProjectFormState, SaveProject } from './use-editing.ts';
import '../projects.css';

interface ProjectFormProps {
  form: ProjectFormState;
  id?: string;
  bar?: ReactNode;
  rail?: ReactNode;
  children?: ReactNode;
  people?: readonly string[];
  advice?: string;
  onSave: SaveProject;
  onSaveForLater?: SaveProject;
}

export function ProjectForm({ form, advice, children, onSave, onSaveForLater = onSave, ...props }: ProjectFormProps) {
  const { fields, wrong: errors, setFields: set, failure, returned, unsaved } = form;
  const inputs = { fields, errors, set };
  const { hash } = useLocation();
  const place = useMemo(() => placeIn(hash), [hash]);
  return (
    <form
      className="project-form stack split-1200 with-aside gap-5 gap-x-7"
      id={props.id}
      ref={form.element}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        void form.submit(submitter?.getAttribute('value') === 'later' ? onSaveForLater : onSave);
      }}
      noValidate
    >
      {returned && unsaved && (
        <div className="cluster across project-form-returned">
          <Banner kind="info">Your unsaved input is restored.</Banner>
          <SmallButton onClick={form.discard}>Discard it</SmallButton>
        </div>
      )}
      {failure && (
        <div className="across">
          <Banner kind="error">
            <p>{failure}</p>
            {advice && <p>{advice}</p>}
          </Banner>
        </div>
      )}
      <div className="form-stack">
        <LineInputs {...inputs} />
        <TextInputs {...inputs} brief="The Brief" place={place} />
        <TitledSection titleId="who-made-what" title={creditWords.title}>
          <CreditsEditor
            id="project-credits"
            ref={form.credits}
            rows={fields.credits}
            complain={errors.credits !== undefined}
            people={props.people}
            onChange={(credits) => set({ credits })}
          />
        </TitledSection>
        {children}
      </div>
      <div className="stack gap-5 form-rail panel pad-5">
        <StatusInput {...inputs} hint="Readers find active and completed projects." />
        <CategoryInput {...inputs} hint="Category under which readers find it in the list." />
        <TagsInput {...inputs} />
        <BudgetInputs {...inputs} />
        <DateInputs {...inputs} />
        <FactInputs {...inputs} />
        {props.rail}
      </div>
      {props.bar}
    </form>
  );
}

type FormBarProps = { form?: string; busy: boolean; label: string; busyLabel: string; children: ReactNode };

export const FormBar = ({ form, busy, label, busyLabel, children }: FormBarProps) => (
  <div className="cluster gap-3 bottom-bar form-bar across hairline pad-y-3">
    <SmallButton variant="primary" type="submit" form={form} busy={busy} busyLabel={busyLabel}>
      {label}
    </SmallButton>
    {children}
  </div>
);
