import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { playerAddress } from '../../../media-address.ts';
import { submissionWords as words } from '../../copy/submission.ts';
import { LONGEST_ADDRESS, LONGEST_CAPTION } from '../../models/data/limits.ts';
import type { MediaItem } from '../../models/submission/submission.ts';
import { Button } from '../../ui/form/button.tsx';
import { SelectField, TextField } from '../../ui/form/field.tsx';

type Type = MediaItem['type'];

/** A picture or video that is somewhere else already. */
export function AddByUrl({ onAdd }: { onAdd: (type: Type, url: string, caption: string) => void }) {
  const fields = useRef<HTMLFieldSetElement>(null);
  const [empty, setEmpty] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const field = (name: string) => fields.current!.querySelector<HTMLInputElement>(`[name="${name}"]`)!;
  const look = () => setEmpty(field('url').value.trim() === '');
  // Something may have been typed before the page came to life.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(look, []);

  function add() {
    const type = field('type').value as Type;
    const url = field('url').value.trim();
    if (url === '') return;
    const problem = problemOf(type, url);
    setError(problem);
    if (problem) return;
    onAdd(type, url, field('caption').value);
    field('url').value = '';
    field('caption').value = '';
    setEmpty(true);
  }

  function addOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  }

  return (
    <fieldset className="stack submit-url" ref={fields}>
      <legend>Or add it by its address</legend>
      <div className="submit-url-fields">
        <SelectField label="Type" name="type">
          <option value="image">{words.imageUrl}</option>
          <option value="video">{words.youtubeEmbed}</option>
        </SelectField>
        <TextField
          label="URL"
          name="url"
          type="url"
          inputMode="url"
          maxLength={LONGEST_ADDRESS}
          autoComplete="off"
          placeholder="https://"
          error={error}
          onKeyDown={addOnEnter}
          onChange={() => {
            look();
            setError(null);
          }}
        />
        <TextField
          label="Caption (optional)"
          name="caption"
          maxLength={LONGEST_CAPTION}
          autoComplete="off"
          onKeyDown={addOnEnter}
        />
      </div>
      <Button variant="secondary" disabled={empty} onClick={add}>
        {words.addByUrl}
      </Button>
    </fieldset>
  );
}

function problemOf(type: Type, url: string): string | null {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'An address starts with https:// or http://.';
  return type === 'video' && !playerAddress(url) ? 'This is not the address of a YouTube video.' : null;
}
