import { useState } from 'react';
import { href } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { pagesOf } from '../../../models/data/page.ts';
import { questionAddress, questionFrom, rangeText } from '../../../models/project/list.ts';
import type { TableRow } from '../../../models/project/table.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { Loaded } from '../loaded.tsx';
import { useTable } from '../projects/project-queries.ts';
import { ScreenHead } from '../shell/screen-head.tsx';
import { useUndoDelete } from '../trash/use-undo-delete.ts';
import { useListParams } from '../use-question.ts';
import type { Route } from './+types/manage';
import { DeleteExperiment } from './delete-experiment.tsx';
import { ExperimentTable } from './experiment-table.tsx';
import { ListFoot } from './pagination.tsx';
import { Search } from './search.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Manage Mad Experiments', noindex: true });

export default function ManageExperiments() {
  const { question, ask } = useListParams(questionFrom, questionAddress);
  const table = useTable(question);
  const offerUndo = useUndoDelete();
  const [leaving, setLeaving] = useState<TableRow | null>(null);
  const needsReview = question.status === 'draft';

  return (
    <>
      <ScreenHead title="Manage Mad Experiments" about={admin.about.table}>
        <a className="button button-primary button-admin" href={href('/case-study-upload')}>
          New Experiment
        </a>
      </ScreenHead>
      <div className="table-tools">
        <Search value={question.search} onSearch={(search) => ask({ search, page: 1 }, { replace: true })} />
        <button
          type="button"
          className="chip"
          aria-pressed={needsReview}
          onClick={() => ask({ status: needsReview ? null : 'draft', page: 1 })}
        >
          Needs review
        </button>
      </div>
      <Loaded query={table} loading="Loading experiments" failed={admin.failedToLoadExperiments}>
        {(page) => (
          <div aria-busy={table.isFetching}>
            {page.rows.length === 0 ? (
              <p className="empty">
                {question.search || question.status ? 'No experiment matches.' : admin.noExperiments}
              </p>
            ) : (
              <ExperimentTable rows={page.rows} onDelete={setLeaving} />
            )}
            <ListFoot
              said={rangeText(page)}
              pages={pagesOf(page.total, page.size)}
              current={page.page}
              addressOf={(number) => questionAddress({ ...question, page: number })}
            />
          </div>
        )}
      </Loaded>
      <DeleteExperiment
        experiment={leaving}
        onClose={() => setLeaving(null)}
        onDeleted={(id) => offerUndo(admin.experimentDeleted, [{ kind: 'project', id }])}
      />
    </>
  );
}
