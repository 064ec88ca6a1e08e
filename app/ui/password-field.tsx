import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';

type Props = Omit<ComponentProps<'input'>, 'type' | 'id'> & {
  label: string;
  hint?: string | undefined;
  error?: string | null;
  autoComplete: 'current-password' | 'new-password';
};

/** A password, with a button that shows what was typed. Sending the form hides it again, for the next person who looks. */
export function PasswordField({ label, hint, error, required, ...input }: Props) {
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
        <div className="field-row">
          <input
            name="password"
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
