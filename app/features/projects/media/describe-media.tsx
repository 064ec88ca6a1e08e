import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AltField, MadeField } from '#features/media/media-fields.tsx';
import { pictureFileId } from '#features/media/model/picture.ts';
import { PosterField } from '#features/media/poster-field.tsx';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { messageOf } from '#lib/data/api-error.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SaveOrCancel } from '#ui/form/save-or-cancel.tsx';
import { textIn, useSubmit } from '#ui/form/use-submit.ts';
import { describeMedia } from '../model/media.ts';
import type { ProjectMedia } from '../model/read.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';
import '../projects.css';
import { LoopField } from './loop-field.tsx';
import { useUploads } from './use-uploads.ts';

export function DescribeMedia({ media, name, onClose }: { media: ProjectMedia; name: string; onClose: () => void }) {
  const cache = useQueryClient();
  const status = useStatus();
  const [alt, setAlt] = useState(media.alt);
  const [made, setMade] = useState(media.made);
  const [poster, setPoster] = useState(media.poster);
  // Uploads a chosen file immediately, and attaches it to the video on save.
  const { going, busy: uploading, ahead, add, drop } = useUploads([], ({ url }) => setPoster(url));
  const { busy, failure, submit } = useSubmit(words.failedToSave, (error, otherwise) =>
    error instanceof EditConflict ? words.changedMeanwhile : messageOf(error, otherwise),
  );

  function pickPoster(picture: File | string) {
    for (const { id } of going) drop(id);
    if (typeof picture === 'string') setPoster(picture);
    else add([picture]);
  }

  async function save(typed: FormData) {
    const changes = {
      title: textIn(typed, 'title') || null,
      description: textIn(typed, 'description') || null,
      alt: alt === '' ? '' : alt?.trim() || null,
      made,
      poster: textIn(typed, 'poster') || poster,
    };
    try {
      await describeMedia(clients().data(), media, changes);
    } catch (error) {
      if (error instanceof EditConflict) await projectsChanged(cache);
      throw error;
    }
    await projectsChanged(cache);
    status.say(words.saved);
    onClose();
  }
  const send = submit(save);

  return (
    <form
      className="grid top panel across pad-4"
      aria-label={`Describe ${name}`}
      onSubmit={(event) => (uploading ? event.preventDefault() : send(event))}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {failure && <Banner kind="error">{failure}</Banner>}
      {media.type === 'image' && <AltField id={`alt-${media.id}`} autoFocus of={name} alt={alt} onChange={setAlt} />}
      <TextField
        label={words.mediaTitle}
        name="title"
        autoFocus={media.type !== 'image'}
        hint={words.mediaTitleHint}
        maxLength={MAX_CAPTION_LENGTH}
        autoComplete="off"
        defaultValue={media.title ?? ''}
      />
      <TextField
        label={mediaWords.caption}
        name="description"
        hint={words.captionHint}
        maxLength={MAX_CAPTION_LENGTH}
        autoComplete="off"
        defaultValue={media.description ?? ''}
      />
      <MadeField of={name} made={made} onChange={setMade} />
      {media.type === 'video' && (
        <PosterField of={name} poster={poster} onPick={pickPoster} onRemove={() => setPoster(null)}>
          {going.map(({ id, failure, fraction }) =>
            failure ? (
              <span className="upload-failure semibold" key={id}>
                {failure.message}
              </span>
            ) : (
              <progress aria-label={words.sendingPoster} key={id} max={1} value={fraction} />
            ),
          )}
          <UploadLimit ahead={ahead} />
        </PosterField>
      )}
      {media.type === 'image' && pictureFileId(media.url) && <LoopField picture={media} of={name} />}
      <SaveOrCancel
        busy={busy}
        waits={busy || uploading}
        busyLabel={busy ? 'Saving...' : words.sendingPoster}
        onCancel={onClose}
      />
    </form>
  );
}
