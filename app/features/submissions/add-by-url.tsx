import { useLayoutEffect, useRef, useState } from 'react';
import { useAddressField } from '#features/media/use-address-field.ts';
import { lengthOf, MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { Button } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { playerAddress } from '../../../media-address.ts';
import type { MediaItem } from './model/submission.ts';

type Type = MediaItem['type'];

export function AddByUrl({ onAdd }: { onAdd: (type: Type, url: string, caption: string) => void }) {
  const fields = useRef<HTMLFieldSetElement>(null);
  const [type, setType] = useState<Type>('image');
  const [caption, setCaption] = useState('');
  const address = useAddressField(
    (url) => {
      if (lengthOf(caption) > MAX_CAPTION_LENGTH) return false;
      onAdd(type, url, caption);
      return setCaption('');
    },
    (url) => (type === 'video' && !playerAddress(url) ? 'This is not the address of a YouTube video.' : null),
  );
  // Input may have been typed before hydration.
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
