import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { AltField, altIn } from '#features/media/media-fields.tsx';
import {
  isWholeMedia,
  MEDIA_TYPES,
  type MediaType,
  movedBy,
  type UploadMedia,
} from '#features/projects/model/upload.ts';
import { newId } from '#lib/data/ids.ts';
import { LONGEST_ADDRESS, LONGEST_CAPTION, MOST_MEDIA } from '#lib/data/limits.ts';
import { Button } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import { typeInto, useTyped } from '#ui/form/use-typed.ts';
import { UploadMediaRow } from './media-row.tsx';
import './media-to-add.css';

type NextMedia = Omit<UploadMedia, 'key'>;

const nextIn = (typed: FormData): NextMedia => ({
  type: (typed.get('mediaType') as MediaType | null) ?? 'image',
  url: textIn(typed, 'mediaUrl'),
  title: textIn(typed, 'mediaTitle'),
  alt: altIn(typed, 'mediaAlt'),
});

export function hasNext(typed: FormData): boolean {
  const { url, title, alt } = nextIn(typed);
  return [url, title, alt ?? ''].some((text) => text.trim() !== '');
}

const LABELS: Record<MediaType, string> = { image: 'Image', video: 'Video', demo: 'Demo' };

export function MediaToAdd({
  form,
  media,
  error,
  onMedia,
  onType,
}: {
  form: HTMLFormElement | null;
  media: UploadMedia[];
  error: string | undefined;
  onMedia: (change: (known: UploadMedia[]) => UploadMedia[]) => void;
  onType: () => void;
}) {
  const next = useTyped(form, nextIn) ?? { type: 'image', url: '', title: '', alt: null };
  const group = useRef<HTMLFieldSetElement>(null);
  const [alt, setAlt] = useState<string | null>(null);
  const full = media.length >= MOST_MEDIA;
  const ready = isWholeMedia(next) && !full;
  const address = () => form?.querySelector<HTMLElement>('[name="mediaUrl"]');

  useLayoutEffect(() => setAlt(altIn(new FormData(group.current!.form!), 'mediaAlt')), []);

  function add() {
    if (!ready) return;
    onMedia((known) => [...known, { ...next, key: newId() }]);
    setAlt(null);
    onType();
    typeInto(form!, { mediaUrl: '', mediaTitle: '', mediaType: 'image' satisfies MediaType });
    address()?.focus();
  }

  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };

  return (
    <fieldset className="upload-media" ref={group} onInput={onType}>
      <legend>Media</legend>
      {media.length > 0 && (
        <ol className="upload-media-list" aria-label="Media to add">
          {media.map((item, place) => (
            <UploadMediaRow
              key={item.key}
              item={item}
              place={place}
              of={media.length}
              onMove={(by) => onMedia((known) => movedBy(known, place, by))}
              onRemove={() => {
                onMedia((known) => known.filter(({ key }) => key !== item.key));
                address()?.focus();
              }}
            />
          ))}
        </ol>
      )}
      <TextField
        label="Media URL"
        name="mediaUrl"
        type="url"
        inputMode="url"
        maxLength={LONGEST_ADDRESS}
        autoComplete="off"
        placeholder="https://"
        error={error}
        hint={full ? `A project holds ${MOST_MEDIA} media items at most.` : undefined}
        onKeyDown={addOnEnter}
      />
      <div className="upload-pair">
        <TextField
          label="Media title"
          name="mediaTitle"
          maxLength={LONGEST_CAPTION}
          autoComplete="off"
          onKeyDown={addOnEnter}
        />
        <SelectField label="Media type" name="mediaType">
          {MEDIA_TYPES.map((type) => (
            <option key={type} value={type}>
              {LABELS[type]}
            </option>
          ))}
        </SelectField>
      </div>
      {next.type === 'image' && (
        // Remounted after adding or clearing, which also resets the stored text.
        <AltField
          key={media.length}
          id="media-alt"
          name="mediaAlt"
          alt={alt}
          onKeyDown={addOnEnter}
          onChange={setAlt}
        />
      )}
      <div className="button-row">
        <Button variant="secondary" disabled={!ready} onClick={add}>
          Add Media
        </Button>
      </div>
    </fieldset>
  );
}
