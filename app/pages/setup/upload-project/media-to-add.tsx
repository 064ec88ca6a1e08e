import { type KeyboardEvent, useRef } from 'react';
import { newId } from '../../../models/data/ids.ts';
import {
  isWholeMedia,
  MEDIA_TYPES,
  type MediaType,
  MOST_MEDIA,
  movedBy,
  type UploadMedia,
} from '../../../models/project/upload.ts';
import { Button } from '../../../ui/form/button.tsx';
import { SelectField, TextField } from '../../../ui/form/field.tsx';
import { AltField } from '../../../ui/media/media-fields.tsx';
import { UploadMediaRow } from './media-row.tsx';

/** The item that is being typed. */
export type NextMedia = Omit<UploadMedia, 'key'>;
export const emptyMedia: NextMedia = { type: 'image', url: '', title: '', alt: null };
export const isTyped = ({ type, url, title, alt }: NextMedia): boolean =>
  [url, title, (type === 'image' && alt) || ''].some((text) => text.trim() !== '');

const LABELS: Record<MediaType, string> = { image: 'Image', video: 'Video', demo: 'Demo' };

/** Media by address: one is typed, added, put in its place, or removed. */
export function MediaToAdd({
  media,
  next,
  error,
  onMedia,
  onNext,
}: {
  media: UploadMedia[];
  next: NextMedia;
  error: string | null;
  onMedia: (change: (known: UploadMedia[]) => UploadMedia[]) => void;
  onNext: (next: NextMedia) => void;
}) {
  const group = useRef<HTMLFieldSetElement>(null);
  const full = media.length >= MOST_MEDIA;
  const ready = isWholeMedia(next) && !full;
  const address = () => group.current?.querySelector<HTMLElement>('[name="mediaUrl"]');

  function add() {
    if (!ready) return;
    onMedia((known) => [...known, { ...next, key: newId(), url: next.url.trim(), title: next.title.trim() }]);
    onNext(emptyMedia);
    address()?.focus();
  }

  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };

  return (
    <fieldset className="upload-media" ref={group}>
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
                // The pressed button is gone.
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
        maxLength={2048}
        autoComplete="off"
        placeholder="https://"
        value={next.url}
        error={error}
        hint={full ? `A project holds ${MOST_MEDIA} media items at most.` : undefined}
        onKeyDown={addOnEnter}
        onChange={(event) => onNext({ ...next, url: event.target.value })}
      />
      <div className="upload-pair">
        <TextField
          label="Media title"
          name="mediaTitle"
          maxLength={500}
          autoComplete="off"
          value={next.title}
          onKeyDown={addOnEnter}
          onChange={(event) => onNext({ ...next, title: event.target.value })}
        />
        <SelectField
          label="Media type"
          name="mediaType"
          value={next.type}
          onChange={(event) => onNext({ ...next, type: event.target.value as MediaType })}
        >
          {MEDIA_TYPES.map((type) => (
            <option key={type} value={type}>
              {LABELS[type]}
            </option>
          ))}
        </SelectField>
      </div>
      {next.type === 'image' && (
        // Added or emptied, it begins anew, also with what was typed before it was decorative.
        <AltField
          key={media.length}
          id="media-alt"
          name="mediaAlt"
          alt={next.alt}
          onKeyDown={addOnEnter}
          onChange={(alt) => onNext({ ...next, alt })}
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
