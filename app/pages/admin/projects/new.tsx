import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { fieldsOf } from '../../../models/project/form.ts';
import { createProject } from '../../../models/project/write.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { clients } from '../../../session/browser.ts';
import { LeaveGuard } from '../leave-guard.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import type { Route } from './+types/new';
import { ProjectForm } from './project-form.tsx';
import { projectsChanged } from './project-queries.ts';
import { useProjectForm } from './use-project-form.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'New Project', noindex: true });

const EMPTY = fieldsOf();

export default function NewProject() {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const form = useProjectForm({ id: 'new', start: EMPTY, seen: '', failed: admin.failedToCreateProject });
  const [made, setMade] = useState<string | null>(null);
  // Only when nothing is unsaved any more: the guard would ask otherwise.
  useEffect(() => {
    if (made) void navigate(href('/admin/projects/:id', { id: made }));
  }, [made, navigate]);
  return (
    <>
      <ScreenHead title="New Project" back={<Link to={href('/admin')}>Back to Projects</Link>} />
      <ProjectForm
        form={form}
        submitLabel="Create Project"
        busyLabel="Creating..."
        cancel={
          <Link className="button button-secondary button-admin" to={href('/admin')}>
            Cancel
          </Link>
        }
        onSave={async (values, { fields }) => {
          const id = await createProject(clients().data(), values);
          await projectsChanged(cache);
          form.replace({ base: fields, fields, seen: '' });
          setMade(id);
        }}
      />
      <LeaveGuard unsaved={form.unsaved} onLeave={form.forget} />
    </>
  );
}
