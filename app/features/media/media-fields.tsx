import { type KeyboardEvent, useRef } from 'react';
import { MAX_CAPTION_LENGTH } from '#lib/data/limits.ts';
import { MADE, type Made } from '#lib/words/credits.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import { SelectField, TextField } from '#ui/form/field.tsx';
import { Icon } from '#ui/icon.tsx';
import './media-fields.css';

interface AltFieldProps {
  id: string;
  name?: string;
  of?: string;
  alt: string | null;
  autoFocus?: boolean;
  onChange: (alt: string | null) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function AltField({ id, name, of, alt, autoFocus, onChange, onKeyDown }: AltFieldProps) {
  const lastAlt = useRef(alt);
  const decorative = alt === '';
  return (
    <div className="alt-field stack gap-1">
      <TextField
        id={id}
        name={name}
        label={of === undefined ? words.alt : <HiddenName label={words.alt} of={of} />}
        hint={words.altHint}
        limit={MAX_CAPTION_LENGTH}
        autoComplete="off"
        disabled={decorative}
        autoFocus={autoFocus && !decorative}
        value={alt ?? ''}
        onKeyDown={onKeyDown}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      />
      <label className="check">
        <input
          type="checkbox"
          name={name && decorativeOf(name)}
          checked={decorative}
          // biome-ignore lint/a11y/noAutofocus: the form was opened to fill it in
          autoFocus={autoFocus && decorative}
          onChange={({ target }) => {
            if (target.checked) lastAlt.current = alt;
            onChange(target.checked ? '' : lastAlt.current || null);
          }}
        />
        <span>
          Decorative (no description needed)
          {of !== undefined && <span className="hidden-text"> about {of}</span>}
        </span>
      </label>
    </div>
  );
}

const decorativeOf = (name: string) => `${name}-decorative`;

export const altIn = (filledIn: FormData, name: string): string | null =>
  filledIn.has(decorativeOf(name)) ? '' : String(filledIn.get(name) ?? '') || null;

const MADE_OPTIONS = Object.fromEntries([['', 'Not said'], ...MADE.map((made) => [made, words.madeLine(made)])]);

type MadeFieldProps = { of: string; made: Made | null; onChange: (made: Made | null) => void };

export const MadeField = ({ of, made, onChange }: MadeFieldProps) => (
  <SelectField
    label={<HiddenName label="Who made it?" of={of} />}
    options={MADE_OPTIONS}
    value={made ?? ''}
    onChange={({ target }) => onChange((target.value || null) as Made | null)}
  />
);

export const CoverButton = ({ of, pressed, onPress }: { of: string; pressed: boolean; onPress: () => void }) => (
  <button
    type="button"
    className="chip"
    aria-pressed={pressed}
    aria-label={`${words.useAsCover}: ${of}`}
    onClick={onPress}
  >
    {pressed && <Icon name="check" />}
    {pressed ? words.isCover : words.useAsCover}
  </button>
);

export const HiddenName = ({ label, of }: { label: string; of: string }) => (
  <>
    {label}
    <span className="hidden-text"> ({of})</span>
  </>
);
