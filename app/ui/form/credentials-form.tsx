import { type FormEvent, type ReactNode, useState } from 'react';
import { Banner } from '../feedback/banner.tsx';
import { TextField } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface Credentials {
  email: string;
  password: string;
}

/** E-mail, password and one button, made for password managers. What `onSubmit` throws is shown above the fields. */
export function CredentialsForm({
  submitLabel,
  busyLabel,
  failed,
  notice = null,
  hints,
  newPassword,
  email,
  wordsOf = (error, otherwise) => (error instanceof Error && error.message) || otherwise,
  children,
  onEmail,
  onSubmit,
}: {
  submitLabel: string;
  busyLabel: string;
  /** Shown when the failure says nothing. */
  failed: string;
  /** A message that was there before anybody pressed the button. */
  notice?: string | null;
  /** What may help after a failure with this message. */
  hints?: (message: string, email: string) => ReactNode;
  /** A password is being chosen: its least length; otherwise an existing one is asked for. */
  newPassword?: { minLength: number; hint: string };
  /** Typed before, on another way here. */
  email?: string;
  /** The sentence for what `onSubmit` throws. */
  wordsOf?: (error: unknown, otherwise: string) => string;
  /** Between the fields and the button. */
  children?: ReactNode;
  onEmail?: (email: string) => void;
  onSubmit: (credentials: Credentials) => Promise<void>;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ message: string; email: string } | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const email = String(fields.get('email')).trim();
    setBusy(true);
    setFailure(null);
    try {
      await onSubmit({ email, password: String(fields.get('password')) });
    } catch (error) {
      setFailure({ message: wordsOf(error, failed), email });
    } finally {
      setBusy(false);
    }
  }

  const message = failure?.message ?? notice;
  return (
    <form className="form-stack" method="post" onSubmit={submit}>
      {message && (
        <Banner kind="error">
          <p>{message}</p>
          {hints?.(message, failure?.email ?? '')}
        </Banner>
      )}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete={newPassword ? 'email' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={email}
        onChange={(event) => onEmail?.(event.target.value.trim())}
        required
      />
      <PasswordField
        label="Password"
        autoComplete={newPassword ? 'new-password' : 'current-password'}
        minLength={newPassword?.minLength}
        hint={newPassword?.hint}
        required
      />
      {children}
      <SubmitButton busy={busy} busyLabel={busyLabel}>
        {submitLabel}
      </SubmitButton>
    </form>
  );
}
