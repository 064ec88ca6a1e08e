import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { href, Link } from 'react-router';
import { titleFromFile } from '#features/media/model/titles.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { isStarted, MediaToAdd, noMedia } from '#features/setup/upload-project/media-to-add.tsx';
import { uploadWords } from '#features/setup/words/upload.ts';
import { newId } from '#lib/data/ids.ts';
import { admin } from '#lib/words/admin.ts';
import { clients } from '#session/browser.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { ScreenHead, SmallLink } from '#ui/admin/screen-head.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { useRetryId } from '#ui/form/use-retry-id.ts';
import { restoreFocus } from '#ui/restore-focus.ts';
import { FormBar, ProjectForm } from './form/project-form.tsx';
import { useProjectForm } from './form/use-editing.ts';
import { MediaFiles } from './media/media-files.tsx';
import { startOf } from './model/unsaved-fields.ts';
import { type UploadMedia, uploadProject } from './model/upload.ts';
import { projectsChanged } from './project-queries.ts';
import { Member } from './team/member.tsx';
import { TeamSection } from './team/team.tsx';
import { editing as words } from './words.ts';

export const meta = privateTags('New Project');

const FORM = 'new-project';
const EMPTY = startOf();

export default function NewProject() {
  const cache = useQueryClient();
  const [addingMedia, addMedia] = useState(false);
  const [memberStarted, setMemberStarted] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [nextMedia, setNextMedia] = useState(noMedia);
  const showsMedia = addingMedia || isStarted(nextMedia);
  const check = () => ({ mediaUrl: isStarted(nextMedia) && uploadWords.unadded });
  const form = useProjectForm({ id: 'new', start: EMPTY, failed: admin.failedToCreateProject, check });
  const idOf = useRetryId();
  const places = useRef(new Map<string, number>());
  const filesChosen = useRef(0);
  const teamHeading = useRef<HTMLHeadingElement>(null);
  const changeMedia = (change: (known: UploadMedia[]) => UploadMedia[]) =>
    form.setBelongings(({ media }) => ({ media: change(media) }));
  return (
    <>
      <ScreenHead title="New Project" back={<Link to={href('/admin')}>Back to Projects</Link>} />
      {/* What is typed while it is created would be lost. */}
      <div inert={form.busy}>
        <ProjectForm
          form={form}
          id={FORM}
          people={form.team.flatMap(({ name }) => name ?? [])}
          advice={words.createAgain}
          onSave={async ({ fields, media, team }) => {
            if (memberStarted) throw new Error(words.memberNotAdded);
            if (uploading)
              throw new Error('Picture files are still uploading. Create the project when they are on the list.');
            const upload = { fields, media, team };
            const id = idOf(upload);
            await uploadProject(clients().data(), id, upload);
            await projectsChanged(cache);
            form.replace({ ...EMPTY, base: fields, fields });
            form.leaveTo(id);
          }}
        >
          {form.media.length === 0 && (
            <div className="button-row">
              <SmallButton aria-expanded={showsMedia} onClick={() => addMedia(!addingMedia)}>
                Add media by address
              </SmallButton>
            </div>
          )}
          {(showsMedia || form.media.length > 0 || uploading) && (
            <>
              <MediaToAdd
                next={nextMedia}
                onNext={setNextMedia}
                media={form.media}
                error={form.wrong['mediaUrl']}
                onMedia={changeMedia}
                onType={() => form.settle('mediaUrl')}
              />
              <MediaFiles
                takeOrder={() => ++filesChosen.current}
                attach={({ id, file, url, order }) => {
                  places.current.set(id, order);
                  const title = titleFromFile(file.name) ?? file.name;
                  changeMedia((media) => {
                    const later = media.findIndex(({ key }) => (places.current.get(key) ?? 0) > order);
                    const item = { key: id, type: 'image', url, title, alt: null } as const;
                    return media.toSpliced(later < 0 ? media.length : later, 0, item);
                  });
                }}
                onBusy={setUploading}
              />
            </>
          )}
        </ProjectForm>
        <TeamSection
          heading={teamHeading}
          team={form.team}
          onStart={setMemberStarted}
          onAdd={async (member) => form.setBelongings(({ team }) => ({ team: [...team, { ...member, key: newId() }] }))}
        >
          {form.team.map((member) => (
            <Member
              key={member.key}
              member={member}
              name={member.name ?? member.email ?? ''}
              email={member.email}
              onRemove={() => {
                form.setBelongings(({ team }) => ({ team: team.filter(({ key }) => key !== member.key) }));
                restoreFocus(teamHeading.current);
              }}
            />
          ))}
        </TeamSection>
      </div>
      <FormBar form={FORM} busy={form.busy} label="Create project" busyLabel="Creating...">
        <SmallLink to={href('/admin')}>Cancel</SmallLink>
      </FormBar>
      <LeaveGuard unsaved={isStarted(nextMedia)} />
    </>
  );
}
