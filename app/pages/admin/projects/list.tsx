import { Link } from 'react-router';
import { pageTags } from '../../../models/page-meta.ts';
import { ScreenHead } from '../screen-head.tsx';
import type { Route } from './+types/list';
import { ProjectList } from './project-list.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Projects', noindex: true });

export default function Projects() {
  return (
    <>
      <ScreenHead title="Projects">
        <Link className="button button-primary button-admin" to="/admin/projects/new">
          New Project
        </Link>
      </ScreenHead>
      <ProjectList />
    </>
  );
}
