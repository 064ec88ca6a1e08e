import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { admin } from '../../../../copy/admin/admin.ts';
import { newId } from '../../../../models/data/ids.ts';
import { LONGEST_ADDRESS, LONGEST_CAPTION } from '../../../../models/data/limits.ts';
import { addMedia, nextOrder } from '../../../../models/project/media.ts';
import type { ProjectInFull, ProjectMedia } from '../../../../models/project/read.ts';
import { clients } from '../../../../session/browser.ts';
import { Banner } from '../../../../ui/feedback/banner.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { SelectField, TextField } from '../../../../ui/form/field.tsx';
import { textIn, useSubmit } from '../../../../ui/form/use-submit.ts';
import { UploadLimit } from '../../../submit/form/upload-limit.tsx';
import { projectsChanged } from '../project-queries.ts';
import { type Going, useUploads } from './use-uploads.ts';

/** Adds media to a project: by address, or as picture files. */
export function AddMedia({ project, onBusy }: { project: ProjectInFull; onBusy: (busy: boolean) => void }) {
  const cache = useQueryClient();
  const { going, ahead, add, retry, drop } = useUploads(project);
  const id = useId();
  const byAddress = useSubmit(admin.failedToAddMedia);
  const busy = going.some(({ failure }) => failure === null);
  useEffect(() => onBusy(busy), [busy, onBusy]);

  async function addByAddress(typed: FormData) {
    await addMedia(clients().data(), {
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
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Or picture files
        </label>
        <input
          className="field-input"
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          multiple
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = '';
            if (files.length > 0) add(files);
          }}
        />
        <span className="field-hint">JPG, PNG, GIF up to 10MB</span>
      </div>
      <UploadLimit ahead={ahead} />
      <ul className="uploads" aria-label="Uploads">
        {going.map((item) => (
          <UploadRow key={item.id} item={item} onRetry={() => retry(item)} onDrop={() => drop(item.id)} />
        ))}
      </ul>
    </div>
  );
}

const UploadRow = ({
  item: { file, fraction, failure },
  onRetry,
  onDrop,
}: {
  item: Going;
  onRetry: () => void;
  onDrop: () => void;
}) => (
  <li className="upload">
    <span className="upload-name">{file.name}</span>
    {failure ? (
      <span className="upload-failure" role="alert">
        Not uploaded. {failure.message}
      </span>
    ) : (
      <progress aria-label={`Upload of ${file.name}`} max={1} value={fraction} />
    )}
    {failure && !failure.final && (
      <Button size="admin" variant="secondary" aria-label={`Try ${file.name} again`} onClick={onRetry}>
        Try again
      </Button>
    )}
    <Button size="admin" variant="quiet" aria-label={`${failure ? 'Remove' : 'Cancel'} ${file.name}`} onClick={onDrop}>
      {failure ? 'Remove' : 'Cancel'}
    </Button>
  </li>
);
