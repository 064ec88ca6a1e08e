import { type KeyboardEvent, useState } from 'react';
import { playerAddress } from '../../../media-address.ts';
import { submissionWords as words } from '../../copy/submission.ts';
import type { MediaItem } from '../../models/submission/submission.ts';
import { Button } from '../../ui/form/button.tsx';
import { SelectField, TextField } from '../../ui/form/field.tsx';

type Type = MediaItem['type'];

/** A picture or video that is somewhere else already. */
export function AddByUrl({ onAdd }: { onAdd: (type: Type, url: string, caption: string) => void }) {
  const [type, setType] = useState<Type>('image');
  const [url, setUrl] = useState('');
  const [caption, setCaption] = useState('');
  const [error, setError] = useState<string | null>(null);

  function add() {
    if (url.trim() === '') return;
    const problem = problemOf(type, url.trim());
    setError(problem);
    if (problem) return;
    onAdd(type, url.trim(), caption);
    setUrl('');
    setCaption('');
  }

  function addOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  }

  return (
    <fieldset className="stack submit-url">
      <legend>Or add it by its address</legend>
      <div className="submit-url-fields">
        <SelectField label="Type" value={type} onChange={(event) => setType(event.target.value as Type)}>
          <option value="image">{words.imageUrl}</option>
          <option value="video">{words.youtubeEmbed}</option>
        </SelectField>
        <TextField
          label="URL"
          type="url"
          inputMode="url"
          maxLength={2048}
          autoComplete="off"
          placeholder="https://"
          value={url}
          error={error}
          onKeyDown={addOnEnter}
          onChange={(event) => {
            setUrl(event.target.value);
            setError(null);
          }}
        />
        <TextField
          label="Caption (optional)"
          maxLength={500}
          autoComplete="off"
          value={caption}
          onKeyDown={addOnEnter}
          onChange={(event) => setCaption(event.target.value)}
        />
      </div>
      <Button variant="secondary" disabled={url.trim() === ''} onClick={add}>
        {words.addByUrl}
      </Button>
    </fieldset>
  );
}

function problemOf(type: Type, url: string): string | null {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'An address starts with https:// or http://.';
  return type === 'video' && !playerAddress(url) ? 'This is not the address of a YouTube video.' : null;
}
