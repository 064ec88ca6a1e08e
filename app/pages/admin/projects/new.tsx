import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { editing as words } from '../../../copy/admin/project-editing.ts';
import { uploadWords } from '../../../copy/admin/upload.ts';
import { titleFromFile } from '../../../models/media/titles.ts';
import { startOf } from '../../../models/project/unsaved-fields.ts';
import { type UploadMedia, uploadProject } from '../../../models/project/upload.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { clients } from '../../../session/browser.ts';
import { Button } from '../../../ui/form/button.tsx';
import { hasNext, MediaToAdd } from '../../setup/upload-project/media-to-add.tsx';
import { LeaveGuard } from '../leave-guard.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import type { Route } from './+types/new';
import { PictureFiles } from './media/picture-files.tsx';
import { FormBar, ProjectForm } from './project-form.tsx';
import { projectsChanged } from './project-queries.ts';
import { TeamToAdd } from './team/team-to-add.tsx';
import { useProjectForm } from './use-project-form.ts';
import { useUploadId } from './use-upload-id.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'New Project', noindex: true });

const FORM = 'new-project';
const EMPTY = startOf();

export default function NewProject() {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [addingMedia, addMedia] = useState(false);
  const [memberStarted, setMemberStarted] = useState(false);
  const [uploading, setUploading] = useState(false);
  const form = useProjectForm({
    id: 'new',
    start: EMPTY,
    failed: admin.failedToCreateProject,
    check: (typed) => ({ mediaUrl: hasNext(typed) && uploadWords.unadded }),
  });
  const idOf = useUploadId();
  const changeMedia = (change: (known: UploadMedia[]) => UploadMedia[]) =>
    form.setBelongings(({ media }) => ({ media: change(media) }));
  const [created, setCreated] = useState<string | null>(null);
  // After the state has changed: with unsaved fields the leave guard would ask for confirmation.
  useEffect(() => {
    if (created) void navigate(href('/admin/projects/:id', { id: created }));
  }, [created, navigate]);
  return (
    <>
      <ScreenHead title="New Project" back={<Link to={href('/admin')}>Back to Projects</Link>} />
      <div className="new-project">
        <ProjectForm
          form={form}
          id={FORM}
          people={form.team.flatMap(({ name }) => name ?? [])}
          advice={words.createAgain}
          onSave={async (_, { fields, media, team }) => {
            if (memberStarted) throw new Error(words.memberNotAdded);
            if (uploading) throw new Error(words.filesUnderWay);
            const upload = { fields, media, team };
            const id = idOf(upload);
            await uploadProject(clients().data(), id, upload);
            await projectsChanged(cache);
            form.replace({ ...EMPTY, base: fields, fields });
            setCreated(id);
          }}
        >
          {form.media.length === 0 && (
            <div className="button-row">
              <Button
                variant="secondary"
                size="admin"
                aria-expanded={addingMedia}
                onClick={() => addMedia(!addingMedia)}
              >
                {words.addMedia}
              </Button>
            </div>
          )}
          {(addingMedia || form.media.length > 0) && (
            <>
              <MediaToAdd
                form={form.element}
                media={form.media}
                error={form.errors['mediaUrl']}
                onMedia={changeMedia}
                onType={() => form.settle('mediaUrl')}
              />
              <PictureFiles
                media={[]}
                attach={({ id, file, url }) =>
                  changeMedia((media) => [
                    ...media,
                    { key: id, type: 'image', url, title: titleFromFile(file.name) ?? file.name, alt: null },
                  ])
                }
                onBusy={setUploading}
              />
            </>
          )}
        </ProjectForm>
        <TeamToAdd
          team={form.team}
          onTeam={(change) => form.setBelongings(({ team }) => ({ team: change(team) }))}
          onStart={setMemberStarted}
        />
        <FormBar form={FORM} busy={form.busy} label="Create project" busyLabel="Creating...">
          <Link className="button button-secondary button-admin" to={href('/admin')}>
            Cancel
          </Link>
        </FormBar>
      </div>
      <LeaveGuard unsaved={form.unsaved} onLeave={form.forget} />
    </>
  );
}
