import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { href } from 'react-router';
import { nameOfUser } from '#lib/data/user-name.ts';
import { useWrite } from '#session/use-write.ts';
import { SmallLink } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { Moment, timeZone, ZonedMoment } from '#ui/time.tsx';
import { type Plan, type Planned, planChange, revisionOf } from '../model/plans.ts';
import type { ProjectInFull } from '../model/read.ts';
import { nameOfField, VERSION_KEYS } from '../model/versions/versions.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';

export function ProjectPlans({ project, children }: { project: ProjectInFull; children: ReactNode }) {
  const { id, plans, status } = project;
  const revision = revisionOf(project);
  const planOf = (kind: Plan['kind']) => plans.find((plan) => plan.kind === kind);
  const schedule = { of: { project: id }, onChanged: projectsChanged };
  const ends = status === 'draft' && planOf('unpublish') !== undefined;
  const canEnd = status !== 'draft' || planOf('publish')?.due_at || planOf('unpublish');
  return (
    <>
      {plans.map((plan) => (
        <PlanProblem key={plan.kind} plan={plan} />
      ))}
      <div className="gap-3 cluster">
        {children}
        {(revision || status === 'draft') && (
          <Schedule kind="publish" plan={planOf('publish')} final={ends} {...schedule} />
        )}
        {canEnd && <Schedule kind="unpublish" plan={planOf('unpublish')} {...schedule} />}
      </div>
      {revision && (
        <div className="gap-3 cluster apart">
          <p className="anywhere shrink">
            <strong>Saved for later:</strong> <RevisionSummary revision={revision} />
          </p>
          <SmallLink variant="primary" to={href('/admin/projects/:id/revision', { id })}>
            Review changes
          </SmallLink>
        </div>
      )}
    </>
  );
}

export const RevisionSummary = ({ revision }: { revision: Plan }) => (
  <>
    {VERSION_KEYS.filter((key) => key in revision.fields)
      .map(nameOfField)
      .join(', ')}
    , by {nameOfUser(revision.editor, 'a former editor')}, <Moment at={revision.updated_at} />
  </>
);

export const PlanProblem = ({ plan: { kind, problem } }: { plan: Plan }) =>
  problem && (
    <div className="gap-above">
      <Banner kind="error">
        <p>
          Not {kind}ed at its date. {problem}
        </p>
      </Banner>
    </div>
  );

const TITLES = { publish: 'Publish at a date', unpublish: 'Back to draft at a date' };

const DateForm = defineForm({
  fields: { at: { label: 'Date and time', kind: 'datetime-local', required: true } },
  check: ({ at }) => ({ at: !(Date.parse(at) > Date.now()) && 'Please choose a date and time in the future.' }),
  failed: words.failedToSchedule,
});

/** As a field of the browser has it: in its own time zone, without seconds. */
const localText = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function tomorrowMorning(): Date {
  const today = new Date();
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, 9);
}

interface ScheduleProps {
  kind: Plan['kind'];
  plan: Pick<Plan, 'due_at' | 'problem'> | null | undefined;
  of: Planned;
  /** Whether a cancelled date cannot be given back: that of the end of a draft goes with its publication. */
  final?: boolean;
  onChanged: (cache: QueryClient) => Promise<unknown>;
}

export function Schedule({ kind, plan, of, final = false, onChanged }: ScheduleProps) {
  const [open, setOpen] = useState(false);
  const { say, report } = useStatus();
  const change = useWrite((data, at: string | null) => planChange(data, kind, at, of), onChanged);
  const dueAt = plan?.due_at;
  const close = () => setOpen(false);
  const canUndo = dueAt && Date.parse(dueAt) > Date.now() && !final;
  const sayCancelled = () => say('The date is cancelled.', canUndo ? { undo: () => change.mutateAsync(dueAt) } : {});
  const cancel = () => void report(change.mutateAsync(null), words.failedToSchedule, sayCancelled);
  return (
    <fieldset className="gap-3 cluster" ref={keepFocus} aria-label={TITLES[kind]}>
      {dueAt && (
        <p>
          {plan.problem ? 'Was due on ' : kind === 'publish' ? 'Goes live on ' : 'Back to draft on '}
          <strong>
            <ZonedMoment at={dueAt} />
          </strong>
        </p>
      )}
      <SmallButton onClick={() => setOpen(true)}>{dueAt ? 'Change date' : TITLES[kind]}</SmallButton>
      {dueAt && (
        <SmallButton busy={change.isPending} onClick={cancel}>
          Cancel date
        </SmallButton>
      )}
      <Dialog open={open} busy={change.isPending} title={TITLES[kind]} onCancel={close}>
        <DateForm
          inDialog
          start={{ at: localText(dueAt ? new Date(dueAt) : tomorrowMorning()) }}
          save={({ at }) => change.mutateAsync(new Date(at).toISOString())}
          onSaved={() => {
            close();
            say('The date is saved.');
          }}
          onCancel={close}
          submitLabel="Save date"
          more={{ at: { hint: `In your time zone, ${timeZone()}.`, min: localText(new Date()) } }}
        />
      </Dialog>
    </fieldset>
  );
}
