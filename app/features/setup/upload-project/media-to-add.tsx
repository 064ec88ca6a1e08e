import { type KeyboardEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { AltField, altIn } from '#features/media/media-fields.tsx';
import { isWholeMedia, moveItem, type UploadMedia } from '#features/projects/model/upload.ts';
import { newId } from '#lib/data/ids.ts';
import { MAX_ADDRESS_LENGTH, MAX_CAPTION_LENGTH, MAX_MEDIA } from '#lib/data/limits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { Button, IconButton } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import '../setup.css';

type MediaType = UploadMedia['type'];
type NextMedia = Omit<UploadMedia, 'key'>;

export const noMedia: NextMedia = { type: 'image', url: '', title: '', alt: null };

export const nextIn = (typed: FormData): NextMedia => ({
  type: (typed.get('mediaType') as MediaType | null) ?? 'image',
  url: textIn(typed, 'mediaUrl'),
  title: textIn(typed, 'mediaTitle'),
  alt: altIn(typed, 'mediaAlt'),
});

export const isStarted = ({ url, title, alt }: NextMedia) => [url, title, alt ?? ''].some((text) => text.trim() !== '');

const LABELS: Record<MediaType, string> = { image: 'Image', video: 'Video', demo: 'Demo' };

interface MediaToAddProps {
  next: NextMedia;
  onNext: (next: NextMedia) => void;
  media: UploadMedia[];
  error: string | undefined;
  onMedia: (change: (known: UploadMedia[]) => UploadMedia[]) => void;
  onType: () => void;
}

export function MediaToAdd({ next, onNext, media, error, onMedia, onType }: MediaToAddProps) {
  const address = useRef<HTMLInputElement>(null);
  const isFull = media.length >= MAX_MEDIA;
  const canAdd = isWholeMedia(next) && !isFull;
  const set = (change: Partial<NextMedia>) => onNext({ ...next, ...change });

  function add() {
    if (!canAdd) return;
    onMedia((known) => [...known, { ...next, url: next.url.trim(), title: next.title.trim(), key: newId() }]);
    onNext(noMedia);
    onType();
    address.current?.focus();
  }

  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };

  return (
    <fieldset className="stack gap-5 upload-media panel shrink pad-5" onInput={onType}>
      <legend className="heading size-1 full">Media</legend>
      {media.length > 0 && (
        <ol className="hairline-below" aria-label="Media to add">
          {media.map(({ key, type, url, title, alt }, place) => (
            <li className="cluster pad-y-2 gap-2 gap-x-4 apart hairline" key={key}>
              <div className="stack gap-0 upload-media-words basis-12 anywhere shrink">
                <strong>{title}</strong>
                <span className="mono quiet">
                  {type} · {url}
                </span>
                {type === 'image' && <span className="mono quiet">{mediaWords.says(alt)}</span>}
              </div>
              <div className="inline gap-0 push">
                <StepButtons
                  name={title}
                  first={place === 0}
                  last={place === media.length - 1}
                  onStep={(by, button) => {
                    flushSync(() => onMedia((known) => moveItem(known, place, by)));
                    button.focus(); // A moved row loses the focus.
                  }}
                />
                <IconButton
                  icon="close"
                  className="sort-button"
                  label={`Remove ${title}`}
                  onClick={() => {
                    onMedia((known) => known.filter((item) => item.key !== key));
                    address.current?.focus();
                  }}
                />
              </div>
            </li>
          ))}
        </ol>
      )}
      <TextField
        label="Media URL"
        name="mediaUrl"
        ref={address}
        value={next.url}
        onChange={({ target }) => set({ url: target.value })}
        type="url"
        inputMode="url"
        maxLength={MAX_ADDRESS_LENGTH}
        autoComplete="off"
        placeholder="https://"
        error={error}
        hint={isFull ? `A project holds ${MAX_MEDIA} media items at most.` : undefined}
        onKeyDown={addOnEnter}
      />
      <div className="grid gap-5 column-12">
        <TextField
          label="Media title"
          name="mediaTitle"
          value={next.title}
          onChange={({ target }) => set({ title: target.value })}
          maxLength={MAX_CAPTION_LENGTH}
          autoComplete="off"
          onKeyDown={addOnEnter}
        />
        <SelectField
          label="Media type"
          name="mediaType"
          options={LABELS}
          value={next.type}
          onChange={({ target }) => set({ type: target.value as MediaType })}
        />
      </div>
      {next.type === 'image' && (
        // Remounted after adding, which also resets the stored text.
        <AltField
          key={media.length}
          id="media-alt"
          name="mediaAlt"
          alt={next.alt}
          onKeyDown={addOnEnter}
          onChange={(alt) => set({ alt })}
        />
      )}
      <div className="button-row">
        <Button variant="secondary" disabled={!canAdd} onClick={add}>
          Add Media
        </Button>
      </div>
    </fieldset>
  );
}
