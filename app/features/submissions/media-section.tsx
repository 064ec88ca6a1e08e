import { useId, useLayoutEffect, useRef, useState } from 'react';
import { FileInput } from '#features/media/file-field.tsx';
import { PICTURES } from '#features/media/poster-field.tsx';
import { UploadLimit } from '#features/media/upload-limit.tsx';
import { useAddressField } from '#features/media/use-address-field.ts';
import { lengthOf, MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { Button } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { SortableList } from '#ui/form/sort-controls.tsx';
import { useSorting } from '#ui/form/use-sorting.ts';
import { useTakeAtSubmit } from '#ui/form/use-take-at-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { playerAddress } from '../../../media-address.ts';
import { FormSection } from './form-sections.tsx';
import { MediaTile } from './media-tile.tsx';
import { nameOfItem } from './model/submission.ts';
import type { SubmissionProps } from './use-submission.ts';

export function MediaSection({ state, actions }: SubmissionProps) {
  const { notices, failure } = state;
  const { media } = state.submission;
  const sorting = useSorting(media, nameOfItem, (ids) => actions?.dispatch({ type: 'mediaSorted', ids }));
  const pictures = media.filter(({ type }) => type === 'image');
  const cover = pictures.find(({ isCover }) => isCover) ?? pictures[0];
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const missing = failure?.field === 'media' && failure.item === undefined ? failure.message : null;

  return (
    <FormSection number={2} title="Experiment Media">
      <div
        className="submit-picker ring-around panel relative center gap-2"
        data-over={isOver || undefined}
        data-invalid={missing ? true : undefined}
      >
        <FileInput
          ref={picker}
          id="submit-media"
          multiple
          accept={PICTURES}
          disabled={!actions}
          aria-describedby={[`${id}-hint`, missing && `${id}-error`].filter(Boolean).join(' ')}
          aria-invalid={missing ? true : undefined}
          onDragEnter={() => setIsOver(true)}
          onDragLeave={() => setIsOver(false)}
          onDrop={() => setIsOver(false)}
          onChoose={(files) => void actions?.addFiles(files)}
        />
        <label htmlFor="submit-media" className="button button-primary">
          <Icon name="picture" />
          Choose pictures
        </label>
        <p id={`${id}-hint`}>
          <strong>JPG, PNG, GIF up to 10MB</strong>
        </p>
        <p className="field-hint">Or drop them here. Upload starts immediately.</p>
      </div>
      <div role="status">
        {notices.length > 0 && (
          <div className="edge pad-4 panel stack gap-2">
            {notices.map((notice) => (
              <p key={notice}>{notice}</p>
            ))}
          </div>
        )}
      </div>
      <UploadLimit ahead={state.ahead} />
      {missing && (
        <p className="field-error" id={`${id}-error`}>
          {missing}
        </p>
      )}
      <AddByUrl onAdd={(type, url, caption) => actions?.addAddress(type, url, caption)} />
      {media.length > 0 && (
        <SortableList sorting={sorting} label="Chosen media">
          {(item) => (
            <MediaTile
              key={item.id}
              item={item}
              state={state}
              actions={actions}
              isCover={pictures.length > 1 && item.type === 'image' ? item === cover : null}
              sorting={sorting}
              onRemove={() => {
                actions?.dispatch({ type: 'mediaRemoved', id: item.id });
                picker.current?.focus();
              }}
            />
          )}
        </SortableList>
      )}
    </FormSection>
  );
}

type Type = 'image' | 'video';

function AddByUrl({ onAdd }: { onAdd: (type: Type, url: string, caption: string) => void }) {
  const fields = useRef<HTMLFieldSetElement>(null);
  const [type, setType] = useState<Type>('image');
  const [caption, setCaption] = useState('');
  const address = useAddressField(
    (url) => {
      if (lengthOf(caption) > MAX_CAPTION_LENGTH) return false;
      onAdd(type, url, caption);
      return setCaption('');
    },
    (url) => (type === 'video' && !playerAddress(url) ? 'This is not the address of a YouTube or Vimeo video.' : null),
  );
  useTakeAtSubmit(fields, address.take, 'url');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const fieldValue = (name: string) => (fields.current!.elements.namedItem(name) as HTMLInputElement).value;
    setType(fieldValue('type') as Type);
    address.change(fieldValue('url'));
    setCaption(fieldValue('caption'));
  }, []);

  return (
    <fieldset className="stack" ref={fields}>
      <legend>Or add it by its address</legend>
      <div className="column-12 grid top">
        <SelectField label="Type" name="type" value={type} onChange={({ target }) => setType(target.value as Type)}>
          <option value="image">Image URL</option>
          <option value="video">YouTube Embed</option>
        </SelectField>
        <TextField label="URL" name="url" {...address.field} />
        <TextField
          label="Caption (optional)"
          name="caption"
          limit={MAX_CAPTION_LENGTH}
          autoComplete="off"
          value={caption}
          onKeyDown={address.field.onKeyDown}
          onChange={({ target }) => setCaption(target.value)}
        />
      </div>
      <div className="cluster">
        <Button variant="secondary" disabled={address.isEmpty} onClick={address.take}>
          Add Media via URL
        </Button>
      </div>
    </fieldset>
  );
}
