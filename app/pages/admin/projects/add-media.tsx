import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { admin } from '../../../copy/admin.ts';
import { messageOf } from '../../../models/api-error.ts';
import { addMedia, nextOrder, type ProjectInFull, type ProjectMedia } from '../../../models/project-record.ts';
import { clients } from '../../../session/browser.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { projectsChanged } from '../project-queries.ts';
import { uploadPicture } from './upload-picture.ts';

/** Adds media to a project: by address, or as picture files. */
export function AddMedia({ project }: { project: ProjectInFull }) {
  const cache = useQueryClient();
  const [progress, setProgress] = useState<string | null>(null);
  const id = useId();
  const add = (media: Pick<ProjectMedia, 'type' | 'url' | 'title'>, place = 0) =>
    addMedia(clients().data(), {
      ...media,
      project_id: project.id,
      description: null,
      order: nextOrder(project.project_media) + place,
    });
  const byAddress = useMutation({
    mutationFn: (media: Parameters<typeof add>[0]) => add(media),
    onSuccess: () => projectsChanged(cache),
  });
  const byFile = useMutation({
    mutationFn: async (files: File[]) => {
      for (const [index, file] of files.entries()) {
        const url = await uploadPicture(file, (fraction) =>
          setProgress(`${file.name}: ${Math.round(fraction * 100)}%, ${index + 1} of ${files.length}`),
        );
        await add({ type: 'image', url, title: null }, index);
      }
    },
    onSettled: () => {
      setProgress(null);
      return projectsChanged(cache);
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    byAddress.mutate(
      {
        type: fields.get('type') as ProjectMedia['type'],
        url: String(fields.get('url')).trim(),
        title: String(fields.get('title')).trim() || null,
      },
      { onSuccess: () => form.reset() },
    );
  }

  const failure = byFile.error ?? byAddress.error;
  return (
    <div className="add-media">
      {failure && <Banner kind="error">{messageOf(failure, admin.failedToAddMedia)}</Banner>}
      <form className="add-media-form" onSubmit={submit}>
        <SelectField label="Type" name="type" defaultValue="image">
          <option value="image">Image</option>
          <option value="video">Video</option>
          <option value="demo">Demo</option>
        </SelectField>
        <TextField label="Address" name="url" type="url" required maxLength={2048} placeholder="https://" />
        <TextField label="Title" name="title" maxLength={500} />
        <Button type="submit" variant="secondary" busy={byAddress.isPending} busyLabel="Adding...">
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
          disabled={byFile.isPending}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = '';
            if (files.length > 0) byFile.mutate(files);
          }}
        />
        <span className="field-hint" aria-live="polite">
          {progress ?? 'JPG, PNG, GIF up to 10MB'}
        </span>
      </div>
    </div>
  );
}
