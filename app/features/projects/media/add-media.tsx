import { useQueryClient } from '@tanstack/react-query';
import { titleFromFile } from '#features/media/model/titles.ts';
import { newId } from '#lib/data/ids.ts';
import { LONGEST_ADDRESS, LONGEST_CAPTION } from '#lib/data/limits.ts';
import { admin } from '#lib/words/admin.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { textIn, useSubmit } from '#ui/form/use-submit.ts';
import { addMedia, nextOrder } from '../model/media.ts';
import type { ProjectInFull, ProjectMedia } from '../model/read.ts';
import { projectsChanged } from '../project-queries.ts';
import { PictureFiles } from './picture-files.tsx';

export function AddMedia({ project, onBusy }: { project: ProjectInFull; onBusy: (busy: boolean) => void }) {
  const cache = useQueryClient();
  const { data } = clients();
  const byAddress = useSubmit(admin.failedToAddMedia);

  async function addByAddress(typed: FormData) {
    await addMedia(data(), {
      id: newId(),
      project_id: project.id,
      type: typed.get('type') as ProjectMedia['type'],
      url: textIn(typed, 'url'),
      title: textIn(typed, 'title') || null,
      description: null,
      order: nextOrder(project.project_media),
    });
    await projectsChanged(cache);
  }

  return (
    <div className="stack add-media">
      {byAddress.failure && <Banner kind="error">{byAddress.failure}</Banner>}
      <form className="add-media-form" onSubmit={byAddress.submit(addByAddress, (_, form) => form.reset())}>
        <SelectField label="Type" name="type" defaultValue="image">
          <option value="image">Image</option>
          <option value="video">Video</option>
          <option value="demo">Demo</option>
        </SelectField>
        <TextField label="Address" name="url" type="url" required maxLength={LONGEST_ADDRESS} placeholder="https://" />
        <TextField label="Title" name="title" maxLength={LONGEST_CAPTION} />
        <Button type="submit" variant="secondary" busy={byAddress.busy} busyLabel="Adding...">
          Add Media via URL
        </Button>
      </form>
      <PictureFiles
        media={project.project_media}
        attach={async ({ id, file, url, order }) => {
          const title = titleFromFile(file.name);
          await addMedia(data(), { id, project_id: project.id, type: 'image', url, title, description: null, order });
          await projectsChanged(cache);
        }}
        onBusy={onBusy}
      />
    </div>
  );
}
