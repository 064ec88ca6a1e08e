import { href, Link } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { useListParams } from '#ui/admin/use-question.ts';
import { Search } from '#ui/data/search.tsx';
import { SelectField } from '#ui/form/field.tsx';
import type { Route } from './+types/list';
import { questionAddress, questionFrom } from './model/list.ts';
import { STATUSES, type Status } from './model/status.ts';
import { ProjectPage } from './project-list.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Projects', noindex: true });

export default function Projects() {
  const { question, ask } = useListParams(questionFrom, questionAddress);
  return (
    <>
      <ScreenHead title="Projects" about={admin.about.projects}>
        <Link className="button button-primary button-admin" to={href('/admin/projects/new')}>
          New Project
        </Link>
      </ScreenHead>
      <div className="cluster table-tools">
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
      </div>
      <ProjectPage as="project" question={question} ask={ask} />
    </>
  );
}
