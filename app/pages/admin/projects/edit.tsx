import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { admin } from '../../../copy/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { pageTags } from '../../../models/page-meta.ts';
import { fieldsOf } from '../../../models/project-form.ts';
import { updateProject } from '../../../models/project-record.ts';
import { clients } from '../../../session/browser.ts';
import { Loaded } from '../loaded.tsx';
import { projectsChanged, useProject } from '../project-queries.ts';
import { ScreenHead } from '../screen-head.tsx';
import type { Route } from './+types/edit';
import { AddMedia } from './add-media.tsx';
import { NoProject } from './no-project.tsx';
import { ProjectForm } from './project-form.tsx';
import { ProjectMediaList } from './project-media-list.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Edit Project', noindex: true });

export default function EditProject({ params: { id } }: Route.ComponentProps) {
  const project = useProject(id);
  const navigate = useNavigate();
  const cache = useQueryClient();
  return (
    <Loaded query={project} loading="Loading project" failed={messages.failedToLoadProject}>
      {(found) =>
        found === null ? (
          <NoProject />
        ) : (
          <>
            <ScreenHead title="Edit Project" back={<Link to={`/admin/projects/${id}`}>Back to the project</Link>}>
              <a className="button button-secondary button-admin" href={`/case-studies/${id}`}>
                View page
              </a>
            </ScreenHead>
            <ProjectForm
              key={id}
              initial={fieldsOf(found)}
              submitLabel="Save Changes"
              busyLabel="Saving..."
              failed={admin.failedToUpdateProject}
              cancel={
                <Link className="button button-secondary button-admin" to={`/admin/projects/${id}`}>
                  Cancel
                </Link>
              }
              onSubmit={async (values) => {
                await updateProject(clients().data(), id, values);
                await projectsChanged(cache);
                await navigate(`/admin/projects/${id}`);
              }}
            />
            <ProjectMediaList project={found} />
            <AddMedia project={found} />
          </>
        )
      }
    </Loaded>
  );
}
