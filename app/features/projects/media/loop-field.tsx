import { useMutation, useQueryClient } from '@tanstack/react-query';
import { HiddenName } from '#features/media/media-fields.tsx';
import { addLoop, removeLoop } from '#features/media/model/loop.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { Field } from '#ui/form/field.tsx';
import type { ProjectMedia } from '../model/read.ts';
import { projectsChanged } from '../project-queries.ts';

/** Field for the video loop of a picture. A chosen file is stored immediately. */
export function LoopField({ picture, of }: { picture: ProjectMedia; of: string }) {
  const cache = useQueryClient();
  const status = useStatus();
  const change = useMutation({
    mutationFn: (film: File | null) => {
      const { storage, data } = clients();
      return film ? addLoop(storage, data(), picture, film) : removeLoop(storage, data(), picture);
    },
    onSuccess: (_, film) => status.say(film ? words.loopAdded : words.loopRemoved),
    onSettled: () => projectsChanged(cache),
  });
  const error = change.isError ? messageOf(change.error, messages.uploadFailedSilently) : null;
  return (
    <div className="across stack gap-3">
      <Field label={<HiddenName label={words.loop} of={of} />} hint={words.loopHint(picture.loops)} error={error}>
        {(aria) => (
          <input
            {...aria}
            className="field-input"
            type="file"
            accept="video/mp4,video/webm"
            disabled={change.isPending}
            onChange={({ target }) => {
              const [film] = target.files ?? [];
              if (film) change.mutate(film);
              target.value = '';
            }}
          />
        )}
      </Field>
      {change.isPending && <progress aria-label={words.savingLoop} />}
      {picture.loops && (
        <div className="button-row">
          <Button
            variant="secondary"
            size="admin"
            disabled={change.isPending}
            aria-label={words.removeLoop(of)}
            onClick={() => change.mutate(null)}
          >
            {words.removeLoopShort}
          </Button>
        </div>
      )}
    </div>
  );
}
