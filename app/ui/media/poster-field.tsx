import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { mediaWords as words } from '../../copy/media.ts';
import { LONGEST_ADDRESS, lengthOf } from '../../models/data/limits.ts';
import { Button } from '../form/button.tsx';
import { Field, TextField } from '../form/field.tsx';
import { Of } from './media-fields.tsx';

/** The kinds the server takes. Naming them makes phones hand over a JPEG where they would keep a HEIC. */
export const PICTURES = 'image/jpeg,image/png,image/gif,image/webp,image/avif';

/** What a film shows before it plays: a file of this device, or an address. */
export function PosterField({
  of,
  poster,
  children,
  onPick,
  onRemove,
}: {
  /** What the film is called. */
  of: string;
  /** Temporary or remote address of the picture; null without one. */
  poster: string | null;
  /** How far it has come, and what went wrong. */
  children?: ReactNode;
  onPick: (picture: File | string) => void;
  onRemove: () => void;
}) {
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string | null>(null);

  function take() {
    const typed = address.trim();
    if (typed === '' || lengthOf(typed) > LONGEST_ADDRESS) return;
    if (!/^https?:$/.test(URL.parse(typed)?.protocol ?? '')) return setError(words.oddAddress);
    onPick(typed);
    setAddress('');
  }
  function takeOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    take();
  }

  if (poster !== null)
    return (
      <div className="poster">
        <img src={poster} alt="" referrerPolicy="no-referrer" />
        <div className="poster-words">
          <p>{words.poster}</p>
          {children}
          <Button variant="secondary" size="admin" aria-label={words.removePoster(of)} onClick={onRemove}>
            {words.remove}
          </Button>
        </div>
      </div>
    );
  return (
    <div className="poster-choice">
      <Field label={<Of label={words.poster} of={of} />} hint={words.posterHint}>
        {(aria) => (
          <input
            {...aria}
            className="field-input"
            type="file"
            accept={PICTURES}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) onPick(file);
            }}
          />
        )}
      </Field>
      <div className="poster-address">
        <TextField
          label={<Of label={words.posterAddress} of={of} />}
          name="poster"
          type="url"
          inputMode="url"
          limit={LONGEST_ADDRESS}
          autoComplete="off"
          placeholder="https://"
          value={address}
          error={error}
          onKeyDown={takeOnEnter}
          // Nobody has to know that it wants to be taken: whoever goes on has decided.
          onBlur={({ currentTarget, relatedTarget }) =>
            currentTarget.closest('.poster-address')?.contains(relatedTarget) || take()
          }
          onChange={({ target }) => {
            setAddress(target.value);
            setError(null);
          }}
        />
        <Button variant="secondary" disabled={address.trim() === ''} onClick={take}>
          {words.usePoster}
        </Button>
      </div>
      {children}
    </div>
  );
}
