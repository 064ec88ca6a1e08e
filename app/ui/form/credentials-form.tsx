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
  failed: string;
  notice?: string | null;
  hints?: (message: string, email: string) => ReactNode;
  newPassword?: { minLength: number; hint: string };
  kept?: RefObject<FormData>;
  wordsOf?: (error: unknown, otherwise: string) => string;
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
  // Input may have been typed before hydration.
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
