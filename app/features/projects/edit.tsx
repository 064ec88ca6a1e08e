import { useEffect, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { Featuring } from '#features/dashboard/featured/featuring.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { messages } from '#lib/words/messages.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { focusField } from '#ui/form/use-submit.ts';
import type { Route } from './+types/edit';
import { Conflict } from './conflict/conflict.tsx';
import { FormBar, ProjectForm } from './form/project-form.tsx';
import { useEditing } from './form/use-editing.ts';
import { MediaEditor } from './media/media-editor.tsx';
import type { ProjectInFull } from './model/read.ts';
import { NoProject } from './no-project.tsx';
import { useProject } from './project-queries.ts';
import { Team } from './team/team.tsx';

export const meta = privateTags('Edit project');

export default function EditProject({ params: { id } }: Route.ComponentProps) {
  const project = useProject(id);
  // Reads the project again: a cached one may be outdated, and a form stays open for long.
  const { refetch } = project;
  useEffect(() => void refetch(), [refetch]);
  return (
    <Loaded query={project} loading="Loading project" failed={messages.failedToLoadProject}>
      {(found) => (found === null ? <NoProject /> : <Editor key={id} project={found} />)}
    </Loaded>
  );
}

function Editor({ project }: { project: ProjectInFull }) {
  const { form, conflict, saved, save, keepTheirs, saveChoice } = useEditing(project);
  const [uploading, setUploading] = useState(false);
  const navigate = useNavigate();
  const status = useStatus();
  // Navigates after the state has changed, because the leave guard asks for confirmation while fields are unsaved.
  useEffect(() => {
    if (saved) void navigate(href('/admin/projects/:id', { id: project.id }));
  }, [saved, navigate, project.id]);
  return (
    <>
      <ScreenHead
        title="Edit project"
        back={<Link to={href('/admin/projects/:id', { id: project.id })}>Back to the project</Link>}
      >
        <a className="button button-secondary button-admin" href={href('/case-studies/:id/:slug?', { id: project.id })}>
          View page
        </a>
      </ScreenHead>
      {conflict && (
        <Conflict
          met={conflict}
          busy={form.busy}
          onKeepTheirs={() => {
            keepTheirs(conflict);
            focusField(form.element.current, 'title');
            status.say('Their version is in the form.');
          }}
          onSave={(choose) => void saveChoice(conflict, choose)}
        />
      )}
      <ProjectForm
        form={form}
        bar={
          <FormBar busy={form.busy} label="Save Changes" busyLabel="Saving...">
            <Link className="button button-secondary button-admin" to={href('/admin/projects/:id', { id: project.id })}>
              Cancel
            </Link>
          </FormBar>
        }
        rail={<Featuring project={project} />}
        people={teamOf(project)}
        onSave={save}
      />
      <MediaEditor project={project} onBusy={setUploading} />
      <Team project={project} />
      <LeaveGuard unsaved={form.unsaved || uploading} onLeave={form.forget} />
    </>
  );
}

const teamOf = ({ project_members }: ProjectInFull): string[] => [
  ...new Set(project_members.flatMap(({ name, user }) => name || user?.name || [])),
];
