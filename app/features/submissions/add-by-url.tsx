import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { LONGEST_ADDRESS, LONGEST_CAPTION, lengthOf } from '#lib/data/limits.ts';
import { Button } from '#ui/form/button.tsx';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { playerAddress } from '../../../media-address.ts';
import type { MediaItem } from './model/submission.ts';
import { submissionWords as words } from './words/submission.ts';

type Type = MediaItem['type'];

const EMPTY = { type: 'image' as Type, url: '', caption: '' };

export function AddByUrl({ onAdd }: { onAdd: (type: Type, url: string, caption: string) => void }) {
  const fields = useRef<HTMLFieldSetElement>(null);
  const [typed, setTyped] = useState(EMPTY);
  const [error, setError] = useState<string | null>(null);
  // Input may have been typed before hydration.
  useLayoutEffect(() => {
    const typedIn = (name: keyof typeof EMPTY) => (fields.current!.elements.namedItem(name) as HTMLInputElement).value;
    setTyped({ type: typedIn('type') as Type, url: typedIn('url'), caption: typedIn('caption') });
  }, []);
  const { type, caption } = typed;
  const url = typed.url.trim();

  function add() {
    if (url === '' || lengthOf(url) > LONGEST_ADDRESS || lengthOf(caption) > LONGEST_CAPTION) return;
    const problem = problemOf(type, url);
    setError(problem);
    if (problem) return;
    onAdd(type, url, caption);
    setTyped({ ...EMPTY, type });
  }

  function addOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  }

  return (
    <fieldset className="stack" ref={fields}>
      <legend>Or add it by its address</legend>
      <div className="column-12 grid top">
        <SelectField
          label="Type"
          name="type"
          value={type}
          onChange={({ target }) => setTyped({ ...typed, type: target.value as Type })}
        >
          <option value="image">{words.imageUrl}</option>
          <option value="video">{words.youtubeEmbed}</option>
        </SelectField>
        <TextField
          label="URL"
          name="url"
          type="url"
          inputMode="url"
          limit={LONGEST_ADDRESS}
          autoComplete="off"
          placeholder="https://"
          value={typed.url}
          error={error}
          onKeyDown={addOnEnter}
          onChange={({ target }) => {
            setTyped({ ...typed, url: target.value });
            setError(null);
          }}
        />
        <TextField
          label="Caption (optional)"
          name="caption"
          limit={LONGEST_CAPTION}
          autoComplete="off"
          value={caption}
          onKeyDown={addOnEnter}
          onChange={({ target }) => setTyped({ ...typed, caption: target.value })}
        />
      </div>
      <div className="cluster">
        <Button variant="secondary" disabled={url === ''} onClick={add}>
          {words.addByUrl}
        </Button>
      </div>
    </fieldset>
  );
}

function problemOf(type: Type, url: string): string | null {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'An address starts with https:// or http://.';
  return type === 'video' && !playerAddress(url) ? 'This is not the address of a YouTube video.' : null;
}
