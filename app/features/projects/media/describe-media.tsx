import { useState } from 'react';
import { AltField, MadeField } from '#features/media/media-fields.tsx';
import { storedAlt } from '#features/media/model/media.ts';
import { filmFileId, pictureFileId } from '#features/media/model/picture.ts';
import { PosterField } from '#features/media/poster-field.tsx';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { useUploads } from '#features/media/use-uploads.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import type { ProjectMedia } from '../model/read.ts';
import type { Parts } from '../planned/use-parts.ts';
import { editing as words } from '../words.ts';
import { FilmMoment } from './film-moment.tsx';
import { CAPTIONS, LOOP, StoredFileField } from './stored-file-field.tsx';
import '../projects.css';

const DescriptionForm = defineForm({
  fields: {
    title: { label: 'Title', hint: words.mediaTitleHint, maxLength: MAX_CAPTION_LENGTH, autoComplete: 'off' },
    description: {
      label: mediaWords.caption,
      hint: 'More text for the caption.',
      maxLength: MAX_CAPTION_LENGTH,
      autoComplete: 'off',
    },
    poster: { label: mediaWords.posterAddress },
  },
  failed: words.failedToSave,
});

export function DescribeMedia({
  media,
  name,
  describe,
  onClose,
}: {
  media: ProjectMedia;
  name: string;
  describe: Parts['media']['describe'];
  onClose: () => void;
}) {
  const status = useStatus();
  const reportWhenGone = useReportWhenGone(words.failedToSave);
  const [touched, setTouched] = useState(false);
  useOpenWork(touched);
  const [alt, setAlt] = useState(media.alt);
  const [made, setMade] = useState(media.made);
  const [poster, setPoster] = useState(media.poster);
  // Uploads a chosen file immediately, and attaches it to the video on save.
  const { going, busy: uploading, ahead, add, drop } = useUploads(({ url }) => setPoster(url));
  const isImage = media.type === 'image';
  const [opened, setOpened] = useState(media);
  const isChanged = (['title', 'description', 'alt', 'made', 'poster'] as const).some(
    (key) => media[key] !== opened[key],
  );

  function pickPoster(picture: File | string) {
    for (const { id } of going) drop(id);
    if (typeof picture === 'string') setPoster(picture);
    else add([picture]);
  }

  return (
    <DescriptionForm
      className="stack panel across full pad-4"
      label={`Describe ${name}`}
      start={{ title: media.title ?? '', description: media.description ?? '' }}
      size="admin"
      submit={{ disabled: uploading }}
      submitLabel={uploading ? words.sendingPoster : 'Save'}
      busyLabel="Saving..."
      onCancel={onClose}
      onUnsaved={() => setTouched(true)}
      save={async ({ title, description, poster: address }) => {
        if (isChanged) {
          setOpened(media);
          throw new EditConflict();
        }
        await describe(media, {
          title: title || null,
          description: description || null,
          alt: storedAlt(alt),
          made,
          poster: address || poster,
        }).catch(reportWhenGone);
        // Not in `onSaved`, because the form may be unmounted by then.
        status.say(words.saved);
        onClose();
      }}
    >
      {(field) => (
        <div className="grid top">
          {isImage && <AltField id={`alt-${media.id}`} autoFocus of={name} alt={alt} onChange={setAlt} />}
          {field('title', { autoFocus: !isImage })}
          {field('description')}
          <MadeField of={name} made={made} onChange={setMade} />
          {filmFileId(media.url) && <FilmMoment film={media} onPick={pickPoster} />}
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
          {filmFileId(media.url) && <StoredFileField media={media} of={name} kind={CAPTIONS} />}
          {isImage && pictureFileId(media.url) && <StoredFileField media={media} of={name} kind={LOOP} />}
        </div>
      )}
    </DescriptionForm>
  );
}
