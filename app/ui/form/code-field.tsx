import { useEffect, useLayoutEffect, useRef } from 'react';
import { Field } from './field.tsx';
import { cameWhole, digitsOf, SHORTEST_CODE } from './typed-code.ts';

/**
 * One field for a one-time code: numbers on a phone's keyboard, filled in by phones and password managers, pasted with
 * or without spaces. A code that comes whole sends its form.
 */
export function CodeField({
  label,
  error,
  waits = false,
}: {
  label: string;
  error?: string | null;
  /** Another field comes first: no focus by itself, and nothing is sent before a button is pressed. */
  waits?: boolean;
}) {
  const field = useRef<HTMLInputElement>(null);
  const before = useRef('');

  // A refused code is there to be typed over.
  useEffect(() => {
    if (error) field.current?.select();
  }, [error]);

  function keepDigits(input: HTMLInputElement) {
    const typed = digitsOf(input.value);
    // Only then: it moves the cursor.
    if (input.value !== typed) input.value = typed;
    if (!waits && cameWhole(before.current, typed)) setTimeout(() => input.form?.requestSubmit());
    before.current = typed;
  }
  // Something may have been typed before the page came to life.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => keepDigits(field.current!), []);

  return (
    <Field label={label} error={error} required>
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
          onChange={({ target }) => keepDigits(target)}
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked for a code, and is all there is to do
          autoFocus={!waits}
        />
      )}
    </Field>
  );
}
