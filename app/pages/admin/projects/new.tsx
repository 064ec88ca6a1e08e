import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { admin } from '../../../copy/admin.ts';
import { pageTags } from '../../../models/page-meta.ts';
import { fieldsOf } from '../../../models/project-form.ts';
import { createProject } from '../../../models/project-record.ts';
import { clients } from '../../../session/browser.ts';
import { projectsChanged } from '../project-queries.ts';
import { ScreenHead } from '../screen-head.tsx';
import type { Route } from './+types/new';
import { ProjectForm } from './project-form.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'New Project', noindex: true });

export default function NewProject() {
  const navigate = useNavigate();
  const cache = useQueryClient();
  return (
    <>
      <ScreenHead title="New Project" back={<Link to="/admin">Back to Projects</Link>} />
      <ProjectForm
        initial={fieldsOf()}
        submitLabel="Create Project"
        busyLabel="Creating..."
        failed={admin.failedToCreateProject}
        cancel={
          <Link className="button button-secondary button-admin" to="/admin">
            Cancel
          </Link>
        }
        onSubmit={async (values) => {
          const id = await createProject(clients().data(), values);
          await projectsChanged(cache);
          await navigate(`/admin/projects/${id}`);
        }}
      />
    </>
  );
}
