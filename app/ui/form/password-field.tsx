import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { accounts } from '#lib/words/accounts.ts';
import { Field } from './field.tsx';

type Props = Omit<ComponentProps<'input'>, 'type' | 'id'> & {
  label: string;
  hint?: string | undefined;
  error?: string | null;
  autoComplete: 'current-password' | 'new-password';
};

/** With a reveal button; submitting hides the password again. */
export function PasswordField({ label, hint, error, required, onChange, ...input }: Props) {
  const [shown, setShown] = useState(false);
  const [short, setShort] = useState(false);
  const shownError = error ?? (short && accounts.tooShort(input.minLength ?? 0));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = field.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  return (
    <Field label={label} hint={shownError ? undefined : hint} error={shownError} required={required}>
      {(aria) => (
        <div className="field-row stack gap-0">
          <input
            name="password"
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...aria}
            ref={field}
            // Our message stays at the field; the browser's bubble disappears with the next key.
            onInvalid={(event) => {
              if (!event.currentTarget.validity.tooShort) return;
              event.preventDefault();
              setShort(true);
              const controls = [...(event.currentTarget.form?.elements ?? [])] as HTMLInputElement[];
              if (controls.find(({ validity }) => validity && !validity.valid) === event.currentTarget)
                event.currentTarget.focus();
            }}
            onChange={(event) => {
              setShort(false);
              onChange?.(event);
            }}
            type={shown ? 'text' : 'password'}
            className="field-input"
          />
          <button
            type="button"
            className="field-button"
            aria-pressed={shown}
            aria-controls={aria.id}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
            <span className="hidden-text"> password</span>
          </button>
        </div>
      )}
    </Field>
  );
}
