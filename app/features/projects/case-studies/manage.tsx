import { href } from 'react-router';
import { countText } from '#features/reviews/model/review.ts';
import { useCount } from '#features/reviews/review-queries.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { useListParams } from '#ui/admin/use-question.ts';
import { Search } from '#ui/data/search.tsx';
import { type ProjectQuestion, questionAddress, questionFrom } from '../model/list.ts';
import { ProjectPage } from '../project-list.tsx';
import { useStatusCounts } from '../project-queries.ts';
import type { Route } from './+types/manage';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Manage Mad Experiments', noindex: true });

const NO_FILTER: Pick<ProjectQuestion, 'review' | 'status'> = { review: null, status: null };
const FILTERS: (typeof NO_FILTER & { label: string })[] = [
  { ...NO_FILTER, label: admin.needsReview, review: 'waiting' },
  { ...NO_FILTER, label: admin.notFinished, review: 'unfinished' },
  { ...NO_FILTER, label: admin.allDrafts, status: 'draft' },
];

export default function ManageExperiments() {
  const { question, ask } = useListParams(questionFrom, questionAddress);
  const waiting = useCount('waiting').data;
  const unfinished = useCount('unfinished').data;
  const drafts = useStatusCounts().data?.draft;
  const counts = [
    waiting?.reviews ? countText(waiting) : null,
    unfinished?.reviews ? countText(unfinished) : null,
    drafts ? drafts.toLocaleString('en') : null,
  ];
  return (
    <>
      <ScreenHead title="Manage Mad Experiments" about={admin.about.table}>
        <a className="button button-primary button-admin" href={href('/case-study-upload')}>
          New Experiment
        </a>
      </ScreenHead>
      <div className="cluster table-tools">
        <Search value={question.search} onSearch={(search) => ask({ search, page: 1 }, { replace: true })} />
        {FILTERS.map(({ label, ...filter }, index) => {
          const chosen = question.review === filter.review && question.status === filter.status;
          return (
            <button
              key={label}
              type="button"
              className="chip"
              aria-pressed={chosen}
              onClick={() => ask({ ...(chosen ? NO_FILTER : filter), page: 1 })}
            >
              {label} {counts[index] && <small>{counts[index]}</small>}
            </button>
          );
        })}
      </div>
      <ProjectPage as="experiment" question={question} ask={ask} />
    </>
  );
}
