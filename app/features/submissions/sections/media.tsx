import { useId, useRef, useState } from 'react';
import { PICTURES } from '#features/media/poster-field.tsx';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { SortHint } from '#ui/form/sort-controls.tsx';
import { useSorting } from '#ui/form/use-sorting.ts';
import { Icon } from '#ui/icon.tsx';
import type { SubmissionForm } from '../form/form.ts';
import type { FormState } from '../form/form-state.ts';
import { coverIn, nameOfItem } from '../model/submission.ts';
import { Sheet } from '../sheet.tsx';
import { submissionWords as words } from '../words/submission.ts';
import { AddByUrl } from './add-by-url.tsx';
import { MediaTile } from './media-tile.tsx';
import './media.css';

export function SubmittedMedia({ state, form }: { state: FormState; form: SubmissionForm | null }) {
  const {
    submission: { media },
    progress,
    previews,
    notices,
    failure,
  } = state;
  const items = new Map(media.map((item) => [item.id, item]));
  const names = new Map(media.map((item, place) => [item.id, nameOfItem(item, place)]));
  const sorting = useSorting(
    [...items.keys()],
    (id) => names.get(id)!,
    (ids) => form?.media.sort(ids),
  );
  const shown = sorting.order.flatMap((id) => items.get(id) ?? []);
  const cover = coverIn(media);
  const pictures = media.filter(({ type }) => type === 'image').length;
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const [over, setOver] = useState(false);
  const missing = failure?.field === 'media' && failure.item === undefined ? failure.message : null;

  return (
    <Sheet number={2} title={words.media}>
      <div className="submit-picker" data-over={over || undefined} data-invalid={missing ? true : undefined}>
        <input
          ref={picker}
          id="submit-media"
          type="file"
          multiple
          accept={PICTURES}
          disabled={!form}
          aria-describedby={[`${id}-hint`, missing && `${id}-error`].filter(Boolean).join(' ')}
          aria-invalid={missing ? true : undefined}
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            // Reset, so that choosing the same file again fires an event.
            event.target.value = '';
            void form?.media.addFiles(files);
          }}
        />
        <label htmlFor="submit-media">
          <Icon name="picture" />
          <span className="submit-picker-call">Choose pictures</span>
        </label>
        <p id={`${id}-hint`} className="submit-picker-hint">
          {words.pickerHint}
        </p>
        <p className="submit-picker-drop">Or drop them here. Upload starts at once.</p>
      </div>
      <div role="status" className="submit-notices">
        {notices.map((notice) => (
          <p key={notice}>{notice}</p>
        ))}
      </div>
      <UploadLimit ahead={state.ahead} />
      {missing && (
        <p className="field-error" id={`${id}-error`}>
          {missing}
        </p>
      )}
      <AddByUrl onAdd={(type, url, caption) => form?.media.addAddress(type, url, caption)} />
      {media.length > 0 && (
        <>
          <SortHint />
          <ol className="submit-grid" aria-label="Chosen media" ref={sorting.list}>
            {shown.map((item, place) => (
              <MediaTile
                key={item.id}
                item={item}
                name={names.get(item.id)!}
                previews={previews}
                progress={progress}
                isPaused={state.ahead?.isPaused === true}
                cover={pictures > 1 && item.type === 'image' ? item === cover : null}
                place={place}
                of={shown.length}
                look={sorting.look(item.id)}
                handle={sorting.handle(item.id)}
                media={form?.media ?? null}
                onStep={(by, button) => sorting.step(item.id, by, button)}
                onRemove={() => {
                  form?.media.removeItem(item.id);
                  picker.current?.focus();
                }}
              />
            ))}
          </ol>
          <p className="hidden-text" aria-live="assertive">
            {sorting.said}
          </p>
        </>
      )}
    </Sheet>
  );
}
