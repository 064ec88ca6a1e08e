import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';
import { cameWhole, digitsOf, SHORTEST_CODE } from './typed-code.ts';

/**
 * One field for a one-time code: numbers on a phone's keyboard, filled in by phones and password managers, pasted with
 * or without spaces. A code that comes whole sends its form.
 */
export function CodeField({
  label,
  hint,
  error,
  waits = false,
}: {
  label: string;
  hint?: string;
  error?: string | null;
  /** Another field comes first: no focus by itself, and nothing is sent before a button is pressed. */
  waits?: boolean;
}) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);

  // A refused code is there to be typed over.
  useEffect(() => {
    if (error) field.current?.select();
  }, [error]);

  function change({ target }: ChangeEvent<HTMLInputElement>) {
    const typed = digitsOf(target.value);
    setCode(typed);
    if (!waits && cameWhole(code, typed)) setTimeout(() => target.form?.requestSubmit());
  }

  return (
    <Field label={label} hint={hint} error={error} required>
      {(aria) => (
        <input
          {...aria}
          ref={field}
          name="code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={`[0-9]{${SHORTEST_CODE},}`}
          title={`At least ${SHORTEST_CODE} digits`}
          enterKeyHint="go"
          className="field-input field-code"
          value={code}
          onChange={change}
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked for a code, and is all there is to do
          autoFocus={!waits}
        />
      )}
    </Field>
  );
}
