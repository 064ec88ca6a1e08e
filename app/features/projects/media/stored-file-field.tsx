import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileField } from '#features/media/file-field.tsx';
import { HiddenName } from '#features/media/media-fields.tsx';
import { saveCaptions, saveLoop } from '#features/media/model/companions.ts';
import { VIDEOS } from '#features/media/poster-field.tsx';
import { messageOf } from '#lib/data/api-error.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import type { ProjectMedia } from '../model/read.ts';
import { projectsChanged } from '../project-queries.ts';

/** A file that belongs to the file of a medium, and is stored as soon as it is chosen. */
export function StoredFileField({
  media,
  of,
  kind: { label, hintOf, accept, isStored, save, saved, removed, saving, removeLabel },
}: {
  media: ProjectMedia;
  of: string;
  kind: StoredFileKind;
}) {
  const cache = useQueryClient();
  const status = useStatus();
  const change = useMutation({
    mutationFn: (file: File | null) => save({ storage: clients().storage, data: clients().data() }, media, file),
    onSuccess: (_, file) => status.say(file ? saved : removed),
    onSettled: () => projectsChanged(cache),
  });
  return (
    <div className="across stack gap-3">
      <FileField
        label={<HiddenName label={label} of={of} />}
        hint={hintOf(media)}
        error={change.isError ? messageOf(change.error, messages.uploadFailedSilently) : null}
        accept={accept}
        disabled={change.isPending}
        onChoose={([file]) => change.mutate(file!)}
      />
      {change.isPending && <progress aria-label={saving} />}
      {isStored(media) && (
        <div className="button-row">
          <SmallButton
            disabled={change.isPending}
            aria-label={`${removeLabel} of ${of}`}
            onClick={() => change.mutate(null)}
          >
            {removeLabel}
          </SmallButton>
        </div>
      )}
    </div>
  );
}

type StoredFileKind = typeof LOOP;

export const LOOP = {
  label: 'Loop',
  hintOf: ({ loops }: ProjectMedia) => words.loopHint(loops),
  accept: VIDEOS,
  isStored: ({ loops }: ProjectMedia) => loops !== null,
  save: saveLoop,
  saved: 'The loop is added.',
  removed: 'The loop is removed.',
  saving: 'Saving the loop',
  removeLabel: 'Remove loop',
};

export const CAPTIONS: StoredFileKind = {
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
