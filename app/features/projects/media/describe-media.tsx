import { useRef, useState } from 'react';
import { pictureHost } from '#context/picture-host.ts';
import { FileField } from '#features/media/file-field.tsx';
import { filmFrame } from '#features/media/film-frame.ts';
import { FilmPlayer } from '#features/media/film-player.tsx';
import { AltField, HiddenName, MadeField } from '#features/media/media-fields.tsx';
import { saveCaptions, saveLoop } from '#features/media/model/companions.ts';
import { storedAlt } from '#features/media/model/media.ts';
import { filmFileId, pictureFileId } from '#features/media/model/picture.ts';
import { PosterField, VIDEOS } from '#features/media/poster-field.tsx';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { useUploads } from '#features/media/use-uploads.ts';
import { EditConflict, messageOf } from '#lib/data/api-error.ts';
import { MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { useWrite } from '#session/use-write.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useReportWhenGone, useSeen } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import type { ProjectMedia } from '../model/read.ts';
import type { Parts } from '../planned/use-parts.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';
import '../projects.css';

const DESCRIBED = ['title', 'description', 'alt', 'made', 'poster'] as const;
const CAPTION = { maxLength: MAX_CAPTION_LENGTH, autoComplete: 'off' };

const DescriptionForm = defineForm({
  fields: {
    title: { label: 'Title', hint: 'Shown in lists, and as a caption unless it is only a file name.', ...CAPTION },
    description: { label: mediaWords.caption, hint: 'More text for the caption.', ...CAPTION },
    poster: { label: mediaWords.posterAddress },
  },
  failed: words.failedToSave,
});

interface DescribeMediaProps {
  media: ProjectMedia;
  name: string;
  describe: Parts['media']['describe'];
  onClose: () => void;
}

export function DescribeMedia({ media, name, describe, onClose }: DescribeMediaProps) {
  const status = useStatus();
  const [touched, setTouched] = useState(false);
  // What is not changed here follows the stored row.
  const [mine, setMine] = useState<Partial<Pick<ProjectMedia, 'alt' | 'made' | 'poster'>>>({});
  useOpenWork(touched || mine.poster !== undefined);
  const { alt, made, poster } = { ...media, ...mine };
  const change = (part: typeof mine) => setMine((before) => ({ ...before, ...part }));
  // Uploads a chosen file immediately, and attaches it to the video on save.
  const { going, busy: uploading, ahead, add, drop } = useUploads(({ url }) => change({ poster: url }));
  const isImage = media.type === 'image';
  const { seen, refused } = useSeen(media, words.failedToSave);

  function pickPoster(picture: File | string) {
    for (const { id } of going) drop(id);
    if (typeof picture === 'string') change({ poster: picture });
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
        if (DESCRIBED.some((key) => media[key] !== seen.current[key])) refused(new EditConflict());
        const texts = { title: title || null, description: description || null, alt: storedAlt(alt) };
        await describe(media, { ...texts, made, poster: address || poster }).catch(refused);
        // Not in `onSaved`, because the form may be unmounted by then.
        status.say(words.saved);
        onClose();
      }}
    >
      {(field) => (
        <div className="grid top">
          {isImage && (
            <AltField id={`alt-${media.id}`} autoFocus of={name} alt={alt} onChange={(alt) => change({ alt })} />
          )}
          {field('title', { autoFocus: !isImage })}
          {field('description')}
          <MadeField of={name} made={made} onChange={(made) => change({ made })} />
          {filmFileId(media.url) && <FilmMoment film={media} onPick={pickPoster} />}
          {media.type === 'video' && (
            <PosterField of={name} poster={poster} onPick={pickPoster} onRemove={() => change({ poster: null })}>
              {going.map(({ id, failure, fraction }) =>
                failure ? (
                  <span className="upload-failure semibold" role="alert" key={id}>
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

function FilmMoment({ film, onPick }: { film: ProjectMedia; onPick: (frame: File) => void }) {
  const player = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  function pick(frame: File) {
    setFailed(false);
    onPick(frame);
  }
  const pickFrame = () => filmFrame(player.current!).then(pick, () => setFailed(true));
  return (
    <div className="across grid top">
      <FilmPlayer
        media={film}
        host={pictureHost()}
        ref={player}
        // Its first frame is shown, which is the moment that would be taken.
        poster={undefined}
        preload="metadata"
        crossOrigin="anonymous"
      />
      <div className="stack gap-3 start">
        <p className="field-hint" id={`moment-${film.id}`} role={failed ? 'alert' : undefined}>
          {failed
            ? 'There is no picture of this moment yet. Play the video first, or choose a picture file.'
            : 'Play to a moment or move to it, then take it as the poster.'}
        </p>
        <SmallButton aria-describedby={`moment-${film.id}`} onClick={pickFrame}>
          Use this moment as poster
        </SmallButton>
      </div>
    </div>
  );
}

/** A file that belongs to the file of a medium, and is stored as soon as it is chosen. */
function StoredFileField({ media, of, kind }: { media: ProjectMedia; of: string; kind: StoredFileKind }) {
  const { label, hintOf, accept, isStored, save, saved, removed, saving, removeLabel } = kind;
  const status = useStatus();
  const reportWhenGone = useReportWhenGone(messages.uploadFailedSilently);
  const { isPending, isError, error, mutate } = useWrite(async (data, file: File | null) => {
    await save({ storage: clients().storage, data }, media, file).catch(reportWhenGone);
    status.say(file ? saved : removed);
  }, projectsChanged);
  return (
    <div className="across stack gap-3">
      <FileField
        label={<HiddenName label={label} of={of} />}
        hint={hintOf(media)}
        error={isError ? messageOf(error, messages.uploadFailedSilently) : null}
        accept={accept}
        disabled={isPending}
        onChoose={([file]) => mutate(file!)}
      />
      {isPending && <progress aria-label={saving} />}
      {isStored(media) && (
        <div className="button-row">
          <SmallButton disabled={isPending} aria-label={`${removeLabel} of ${of}`} onClick={() => mutate(null)}>
            {removeLabel}
          </SmallButton>
        </div>
      )}
    </div>
  );
}

type StoredFileKind = typeof LOOP;

const LOOP = {
  label: 'Loop',
  hintOf: ({ loops }: ProjectMedia) => mediaWords.loopHint(loops),
  accept: VIDEOS,
  isStored: ({ loops }: ProjectMedia) => loops !== null,
  save: saveLoop,
  saved: 'The loop is added.',
  removed: 'The loop is removed.',
  saving: 'Saving the loop',
  removeLabel: 'Remove loop',
};

const CAPTIONS: StoredFileKind = {
  label: 'Captions',
  hintOf: ({ captions }) =>
    captions
      ? 'The video has captions. Another file replaces them.'
      : 'Speech and sounds as text: a WebVTT file (.vtt) of at most 1 MB.',
  accept: '.vtt,text/vtt',
  isStored: ({ captions }) => captions,
  save: saveCaptions,
  saved: 'The captions are saved.',
  removed: 'The captions are removed.',
  saving: 'Saving the captions',
  removeLabel: 'Remove captions',
};
