import { type ComponentProps, useEffect, useLayoutEffect, useRef } from 'react';
import { Field, type FieldProps } from './field.tsx';
import { digitsOf, isPasted, MIN_CODE_LENGTH } from './typed-code.ts';

/** Numeric keyboard, autofill, and pasting with or without spaces. Focused, a complete pasted code submits its form. */
export function CodeField({ label, error, autoFocus, ...input }: FieldProps & ComponentProps<'input'>) {
  const field = useRef<HTMLInputElement>(null);
  const previous = useRef('');

  useEffect(() => {
    if (error) field.current?.select();
  }, [error]);

  function keepDigits(input: HTMLInputElement) {
    const typed = digitsOf(input.value);
    // Assigns only a different value, because assigning moves the cursor.
    if (input.value !== typed) input.value = typed;
    if (autoFocus && isPasted(previous.current, typed)) setTimeout(() => input.form?.requestSubmit());
    previous.current = typed;
  }
  // Input may have been typed before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => keepDigits(field.current!), []);

  return (
    <Field label={label} error={error} required>
      {(aria) => (
        <input
          {...input}
          {...aria}
          ref={field}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern={`[0-9]{${MIN_CODE_LENGTH},}`}
          title={`At least ${MIN_CODE_LENGTH} digits`}
          enterKeyHint="go"
          className="field-input field-code mono"
          onChange={({ target }) => keepDigits(target)}
          // biome-ignore lint/a11y/noAutofocus: shown after the user requested a code, with nothing else to do
          autoFocus={autoFocus}
        />
      )}
    </Field>
  );
}
