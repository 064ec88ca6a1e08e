import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import { Banner } from '../feedback/banner.tsx';
import { TextField } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { textIn, useSubmit } from './use-submit.ts';

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
  kept,
  wordsOf,
  children,
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
  /** What is typed, but for the password: kept there while the form is away. */
  kept?: RefObject<FormData>;
  /** The sentence for what `onSubmit` throws. */
  wordsOf?: (error: unknown, otherwise: string) => string;
  /** Between the fields and the button. */
  children?: ReactNode;
  onSubmit: (credentials: Credentials, typed: FormData) => Promise<unknown>;
}) {
  const form = useSubmit(failed, wordsOf);
  const tried = useRef('');
  const element = useRef<HTMLFormElement>(null);

  const keep = useCallback(() => {
    if (!kept) return;
    kept.current = new FormData(element.current!);
    kept.current.delete('password');
  }, [kept]);
  // Something may have been typed before the page came to life.
  useLayoutEffect(keep, [keep]);

  function send(typed: FormData) {
    tried.current = textIn(typed, 'email');
    return onSubmit({ email: tried.current, password: String(typed.get('password')) }, typed);
  }

  const message = form.failure ?? notice;
  return (
    <form className="form-stack" method="post" ref={element} onInput={keep} onSubmit={form.submit(send)}>
      {message && (
        <Banner kind="error">
          <p>{message}</p>
          {hints?.(message, tried.current)}
        </Banner>
      )}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete={newPassword ? 'email' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={kept && textIn(kept.current, 'email')}
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
      <SubmitButton busy={form.busy} busyLabel={busyLabel}>
        {submitLabel}
      </SubmitButton>
    </form>
  );
}
