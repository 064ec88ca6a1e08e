import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { editing as words } from '../../../../copy/admin/project-editing.ts';
import { mediaWords } from '../../../../copy/media.ts';
import { messageOf } from '../../../../models/data/api-error.ts';
import { EditConflict } from '../../../../models/data/edit-conflict.ts';
import { describeMedia, type MediaDescription } from '../../../../models/project/media.ts';
import type { ProjectMedia } from '../../../../models/project/record.ts';
import { clients } from '../../../../session/browser.ts';
import { Banner } from '../../../../ui/feedback/banner.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { TextField } from '../../../../ui/form/field.tsx';
import { AltField, MadeField } from '../../../../ui/media/media-fields.tsx';
import { PosterField } from '../../../../ui/media/poster-field.tsx';
import { useStatus } from '../../shell/status.tsx';
import { projectsChanged } from '../project-queries.ts';
import './describe-media.css';
import { usePoster } from './use-poster.ts';

/** All that is said about a media item, in its place. */
export function DescribeMedia({
  media,
  name,
  onClose,
  onSaved,
}: {
  media: ProjectMedia;
  /** What the item is called. */
  name: string;
  onClose: () => void;
  /** Before it closes: what else has to be read again. */
  onSaved?: () => Promise<unknown>;
}) {
  const cache = useQueryClient();
  const status = useStatus();
  const form = useRef<HTMLFormElement>(null);
  const [alt, setAlt] = useState(media.alt);
  const [made, setMade] = useState(media.made);
  const poster = usePoster(media.poster);
  const saving = useMutation({
    mutationFn: (given: MediaDescription) => describeMedia(clients().data(), media, given),
    onSuccess: async () => {
      await Promise.all([projectsChanged(cache), onSaved?.()]);
      status.say(words.saved);
      onClose();
    },
    onError: (error) => error instanceof EditConflict && projectsChanged(cache),
  });
  useEffect(() => form.current?.querySelector<HTMLElement>('input:enabled')?.focus(), []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (field: string) => String(fields.get(field) ?? '').trim() || null;
    if (saving.isPending || poster.fraction !== null) return;
    saving.mutate({
      title: text('title'),
      description: text('description'),
      alt: alt === '' ? '' : alt?.trim() || null,
      made,
      // An address that was typed and not used yet was meant.
      poster: text('poster') ?? poster.poster,
    });
  }
  const failed =
    saving.error &&
    (saving.error instanceof EditConflict ? words.changedMeanwhile : messageOf(saving.error, words.failedToSave));
  return (
    <form
      className="media-describe"
      ref={form}
      aria-label={`Describe ${name}`}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {failed && <Banner kind="error">{failed}</Banner>}
      {media.type === 'image' && <AltField id={`alt-${media.id}`} of={name} alt={alt} onChange={setAlt} />}
      <TextField
        label={words.mediaTitle}
        name="title"
        hint={words.mediaTitleHint}
        maxLength={500}
        autoComplete="off"
        defaultValue={media.title ?? ''}
      />
      <TextField
        label={mediaWords.caption}
        name="description"
        hint={words.captionHint}
        maxLength={500}
        autoComplete="off"
        defaultValue={media.description ?? ''}
      />
      <MadeField of={name} made={made} onChange={setMade} />
      {media.type === 'video' && (
        <PosterField of={name} poster={poster.poster} onPick={poster.pick} onRemove={poster.remove}>
          {poster.fraction !== null && <progress aria-label={words.sendingPoster} max={1} value={poster.fraction} />}
          {poster.failure && <span className="upload-failure">{poster.failure}</span>}
        </PosterField>
      )}
      <div className="button-row">
        <Button
          type="submit"
          size="admin"
          busy={saving.isPending || poster.fraction !== null}
          busyLabel={saving.isPending ? 'Saving...' : words.sendingPoster}
        >
          Save
        </Button>
        <Button size="admin" variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
