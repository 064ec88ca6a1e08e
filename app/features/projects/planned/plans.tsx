import { href, Link } from 'react-router';
import { Banner } from '#ui/feedback/banner.tsx';
import { Moment } from '#ui/time.tsx';
import { type Plan, revisionOf } from '../model/plans.ts';
import type { ProjectInFull } from '../model/read.ts';
import { isListed } from '../model/status.ts';
import { editorOf, nameOfField, VERSION_KEYS } from '../model/versions/versions.ts';
import { projectsChanged } from '../project-queries.ts';
import { Schedule } from './schedule.tsx';

/** What is planned for a project: its revision and its dates. */
export function ProjectPlans({ project }: { project: ProjectInFull }) {
  const { id, plans, status } = project;
  const revision = revisionOf(project);
  const planOf = (kind: Plan['kind']) => plans.find((plan) => plan.kind === kind);
  const schedule = { of: { project: id }, onChanged: projectsChanged };
  const canEnd = isListed(status) || planOf('publish')?.due_at || planOf('unpublish');
  return (
    <>
      {plans.map(({ kind, problem }) => problem && <Problem key={kind} kind={kind} problem={problem} />)}
      {revision && (
        <div className="gap-3 cluster apart panel pad-4 gap-above">
          <p className="anywhere shrink">
            <strong>Saved for later:</strong> <RevisionSummary revision={revision} />
          </p>
          <Link className="button button-primary button-admin" to={href('/admin/projects/:id/revision', { id })}>
            Review changes
          </Link>
        </div>
      )}
      <div className="gap-3 cluster gap-above">
        {(revision || status === 'draft') && <Schedule kind="publish" plan={planOf('publish')} {...schedule} />}
        {canEnd && <Schedule kind="unpublish" plan={planOf('unpublish')} {...schedule} />}
      </div>
    </>
  );
}

export const RevisionSummary = ({ revision }: { revision: Plan }) => (
  <>
    {VERSION_KEYS.filter((key) => key in revision.fields)
      .map(nameOfField)
      .join(', ')}
    , by {editorOf(revision)}, <Moment at={revision.updated_at} />
  </>
);

export const Problem = ({ kind, problem }: { kind: Plan['kind']; problem: string }) => (
  <Banner kind="error">
    <p>
      {kind === 'publish' ? 'Not published at its date.' : 'Not unpublished at its date.'} {problem}
    </p>
  </Banner>
);
