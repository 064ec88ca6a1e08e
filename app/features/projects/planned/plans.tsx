import type { ReactNode } from 'react';
import { href } from 'react-router';
import { nameOfUser } from '#lib/data/user-name.ts';
import { SmallLink } from '#ui/admin/small-link.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Moment } from '#ui/time.tsx';
import { type Plan, revisionOf } from '../model/plans.ts';
import type { ProjectInFull } from '../model/read.ts';
import { nameOfField, VERSION_KEYS } from '../model/versions/versions.ts';
import { projectsChanged } from '../project-queries.ts';
import { Schedule } from './schedule.tsx';

export function ProjectPlans({ project, children }: { project: ProjectInFull; children: ReactNode }) {
  const { id, plans, status } = project;
  const revision = revisionOf(project);
  const planOf = (kind: Plan['kind']) => plans.find((plan) => plan.kind === kind);
  const schedule = { of: { project: id }, onChanged: projectsChanged };
  const canEnd = status !== 'draft' || planOf('publish')?.due_at || planOf('unpublish');
  return (
    <>
      {plans.map((plan) => (
        <PlanProblem key={plan.kind} plan={plan} />
      ))}
      <div className="gap-3 cluster">
        {children}
        {(revision || status === 'draft') && <Schedule kind="publish" plan={planOf('publish')} {...schedule} />}
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
