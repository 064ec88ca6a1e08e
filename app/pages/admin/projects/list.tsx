import { href, Link } from 'react-router';
import { admin, sortNames } from '../../../copy/admin/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { pagesOf } from '../../../models/data/page.ts';
import { questionAddress, questionFrom, rangeText, SORTS, type Sort } from '../../../models/project/list.ts';
import { STATUSES, type Status } from '../../../models/project/status.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { SelectField } from '../../../ui/form/field.tsx';
import { ListFoot } from '../experiments/pagination.tsx';
import { Search } from '../experiments/search.tsx';
import { Loaded } from '../loaded.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { useListParams } from '../use-question.ts';
import type { Route } from './+types/list';
import { ProjectList } from './project-list.tsx';
import { useProjectPage } from './project-queries.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Projects', noindex: true });

export default function Projects() {
  const { question, ask } = useListParams(questionFrom, questionAddress);
  const projects = useProjectPage(question);
  return (
    <>
      <ScreenHead title="Projects" about={admin.about.projects}>
        <Link className="button button-primary button-admin" to={href('/admin/projects/new')}>
          New Project
        </Link>
      </ScreenHead>
      <div className="table-tools">
        <Search value={question.search} onSearch={(search) => ask({ search, page: 1 }, { replace: true })} />
        <SelectField
          label="Status"
          value={question.status ?? ''}
          onChange={(event) => ask({ status: (event.target.value || null) as Status | null, page: 1 })}
        >
          <option value="">All</option>
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </SelectField>
        <SelectField
          label="Order"
          value={question.sort}
          onChange={(event) => ask({ sort: event.target.value as Sort, page: 1 })}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {sortNames[sort]}
            </option>
          ))}
        </SelectField>
      </div>
      <Loaded query={projects} loading="Loading projects" failed={messages.failedToLoadProjects}>
        {(page) => (
          <div aria-busy={projects.isFetching}>
            {page.rows.length === 0 ? (
              <p className="empty">{question.search || question.status ? admin.noProjectMatches : admin.noProjects}</p>
            ) : (
              <ProjectList projects={page.rows} />
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
    </>
  );
}
