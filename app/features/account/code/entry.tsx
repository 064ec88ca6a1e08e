import type { VerifyOtpParams } from '@supabase/auth-js';
import { type ReactNode, useState } from 'react';
import { accounts, RESEND_AFTER } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { CodeField } from '#ui/form/code-field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { useCountdown } from '#ui/form/use-countdown.ts';
import { LEAVING, useSubmit } from '#ui/form/use-submit.ts';
import { noteConfirmed, resendConfirmation, waitIn } from '../model/account.ts';
import { identityMessage } from '../model/identity-error.ts';

export function CodeEntry({
  children,
  label = 'Code',
  submitLabel,
  wait = RESEND_AFTER,
  missing = 'Nothing there after a minute? Look in the spam folder, or send it again.',
  onCode,
  onResend,
}: {
  children: ReactNode;
  label?: string;
  submitLabel: string;
  wait?: number | undefined;
  missing?: string;
  onCode: (code: string) => Promise<unknown>;
  onResend?: () => Promise<unknown>;
}) {
  const form = useSubmit(messages.anErrorOccurred, identityMessage);
  const isWrong = form.failure === accounts.wrongCode || form.failure === accounts.wrongFactorCode;

  async function send(typed: FormData) {
    await onCode(String(typed.get('code')));
    return LEAVING;
  }

  return (
    <>
      {form.failure && !isWrong && <Banner kind="error">{form.failure}</Banner>}
      {children}
      <form className="form-stack" method="post" onSubmit={form.submit(send)}>
        <CodeField label={label} error={isWrong ? form.failure : null} />
        <SubmitButton busy={form.busy} busyLabel="Checking...">
          {submitLabel}
        </SubmitButton>
      </form>
      {onResend && <CodeResend wait={wait} missing={missing} onResend={onResend} />}
    </>
  );
}

function CodeResend({ wait, missing, onResend }: { wait: number; missing: string; onResend: () => Promise<unknown> }) {
  const [left, begin] = useCountdown(wait);
  const { busy, done, failure, run, say } = useSubmit(messages.anErrorOccurred, identityMessage);

  async function resend() {
    try {
      const early = await onResend();
      if (typeof early === 'number') return { said: 'The last one was sent a moment ago.', wait: early };
      return { said: 'Sent again.', wait: RESEND_AFTER };
    } catch (error) {
      const seconds = waitIn((error as Error).message ?? '');
      if (seconds !== null) return { said: '', wait: seconds };
      begin(0);
      throw error;
    }
  }
  const again = () =>
    run(resend, ({ said, wait }) => {
      say(said);
      begin(wait);
    });

  return (
    <div className="stack gap-2 start">
      <p aria-live="polite">{failure ?? done}</p>
      <p>{missing}</p>
      {/* It stays focusable while disabled. */}
      <Button
        variant="secondary"
        size="admin"
        className="amount"
        busy={busy}
        busyLabel="Sending..."
        aria-disabled={left > 0 || undefined}
        onClick={() => left === 0 && void again()}
      >
        {left > 0 ? `Send it again in ${left} s` : 'Send it again'}
      </Button>
    </div>
  );
}

/** @param send returns seconds until the next request, if the server named them @param toIn recipient */
export function useCodeRequest(
  send: (to: string) => Promise<number | null | undefined>,
  toIn: (typed: FormData) => string,
) {
  const { submit, ...form } = useSubmit(messages.anErrorOccurred, identityMessage);
  const [sent, setSent] = useState<{ to: string; wait: number | undefined } | null>(null);
  const ask = submit(async (typed) => {
    const to = toIn(typed);
    return { to, wait: (await send(to)) ?? undefined };
  }, setSent);
  return { ...form, sent, ask, startOver: () => setSent(null) };
}

export async function signInWithCode(code: VerifyOtpParams): Promise<void> {
  const { error } = await clients().auth.verifyOtp(code);
  if (error) throw error;
  forgetAdmin();
}

export function CodeConfirm({
  email,
  wait,
  onSignedIn,
}: {
  email: string;
  wait?: number | undefined;
  onSignedIn: () => Promise<unknown>;
}) {
  async function confirm(code: string) {
    await signInWithCode({ email, token: code, type: 'signup' });
    await noteConfirmed(clients().auth);
    await onSignedIn();
  }

  return (
    <CodeEntry
      label="Code from the mail"
      submitLabel="Confirm my email address"
      wait={wait}
      onCode={confirm}
      onResend={() => resendConfirmation(clients().auth, email, location.origin)}
    >
      <p>
        We sent a mail to <strong>{email}</strong>. Enter its code here, or click the button in it on any device.
      </p>
    </CodeEntry>
  );
}
