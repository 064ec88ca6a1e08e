import { href, Link } from 'react-router';
import type { DueChange } from '#features/projects/model/plans.ts';
import { useDueChanges } from '#features/projects/project-queries.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { ZonedMoment } from '#ui/time.tsx';

const LABELS = { publish: 'Goes live', unpublish: 'Back to draft' };

export const titleOfDue = ({ project, page }: DueChange): string =>
  project?.title ?? page?.title ?? (page && `${page.kind[0]!.toUpperCase()}${page.kind.slice(1)} page`) ?? '';

export const pathOfDue = ({ project, page }: DueChange): string =>
  project ? href('/admin/projects/:id', { id: project.id }) : href('/admin/pages/:id', { id: page!.id });

export function DueChanges() {
  const { data = [] } = useDueChanges();
  const coming = data.filter(({ problem }) => !problem);
  if (coming.length === 0) return null;
  return (
    <TitledSection className="above-5" titleId="due" title="Scheduled">
      <ul className="hairline">
        {coming.map((change) => (
          <li className="row" key={change.id}>
            <div className="row-words">
              <Link className="row-title" to={pathOfDue(change)}>
                {titleOfDue(change)}
              </Link>
              <span className="row-meta">
                {LABELS[change.kind]} <ZonedMoment at={change.due_at!} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
