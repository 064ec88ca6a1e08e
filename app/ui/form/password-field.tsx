import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Field, type FieldProps } from './field.tsx';

/** With a reveal button; submitting hides the password again. */
export function PasswordField({ label, hint, error, required, ...input }: FieldProps & ComponentProps<'input'>) {
  const [shown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = field.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(aria) => (
        <div className="field-row stack gap-0">
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...aria}
            ref={field}
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
