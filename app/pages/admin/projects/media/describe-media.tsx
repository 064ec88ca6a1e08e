import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { editing as words } from '../../../../copy/project-editing.ts';
import { messageOf } from '../../../../models/api-error.ts';
import { ChangedMeanwhile } from '../../../../models/changed-meanwhile.ts';
import { describeMedia } from '../../../../models/project-media.ts';
import type { ProjectMedia } from '../../../../models/project-record.ts';
import { clients } from '../../../../session/browser.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { projectsChanged } from '../../project-queries.ts';
import { useStatus } from '../../shell/status.tsx';

/** Alternative text and caption of a media item, in their place. */
export function DescribeMedia({ media, onClose }: { media: ProjectMedia; onClose: () => void }) {
  const cache = useQueryClient();
  const status = useStatus();
  const form = useRef<HTMLFormElement>(null);
  const saving = useMutation({
    mutationFn: (given: Pick<ProjectMedia, 'title' | 'description'>) => describeMedia(clients().data(), media, given),
    onSuccess: async () => {
      await projectsChanged(cache);
      status.say(words.saved);
      onClose();
    },
    onError: (error) => error instanceof ChangedMeanwhile && projectsChanged(cache),
  });
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name)).trim() || null;
    if (!saving.isPending) saving.mutate({ title: text('title'), description: text('description') });
  }
  const failed =
    saving.error &&
    (saving.error instanceof ChangedMeanwhile ? words.changedMeanwhile : messageOf(saving.error, words.failedToSave));
  return (
    <form
      className="media-describe"
      ref={form}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {failed && <Banner kind="error">{failed}</Banner>}
      <TextField
        label={words.alt}
        name="title"
        hint={words.altHint}
        maxLength={500}
        autoComplete="off"
        defaultValue={media.title ?? ''}
      />
      <TextField
        label={words.caption}
        name="description"
        hint={words.captionHint}
        maxLength={500}
        autoComplete="off"
        defaultValue={media.description ?? ''}
      />
      <div className="button-row">
        <Button type="submit" size="admin" busy={saving.isPending} busyLabel="Saving...">
          Save
        </Button>
        <Button size="admin" variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
