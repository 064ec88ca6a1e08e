import type { VerifyOtpParams } from '@supabase/auth-js';
import type { ReactNode } from 'react';
import { accounts, RESEND_AFTER } from '#lib/words/accounts.ts';
import { clients } from '#session/browser.ts';
import { forgetRole } from '#session/current-user.ts';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { useCountdown } from '#ui/form/use-countdown.ts';
import { NAVIGATING } from '#ui/form/use-submit.ts';
import { CHOOSE_PASSWORD, mustChoosePassword, noteConfirmed, resendConfirmation, waitIn } from '../model/account.ts';
import { identityErrors, requireSuccess } from '../model/identity-error.ts';
import { useIdentitySubmit } from '../use-identity-submit.ts';

export const CodeForm = defineForm({
  fields: { code: { label: 'Code', kind: 'code', autoFocus: true } },
  ...identityErrors,
  fieldOf: (failure) => (failure === accounts.wrongCode || failure === accounts.wrongFactorCode ? 'code' : null),
});

interface CodeEntryProps {
  children: ReactNode;
  label?: string;
  submitLabel: string;
  wait?: number | undefined;
  missing?: string;
  onCode: (code: string) => Promise<unknown>;
  /** @returns seconds until the next request, if the server named them */
  onResend?: () => Promise<unknown>;
  onCancel?: () => void;
}

export const PhoneCodeEntry = ({ to, ...entry }: Omit<CodeEntryProps, 'children' | 'missing'> & { to: string }) => (
  <CodeEntry
    label="Code from the message"
    missing="A message can take a minute. If nothing arrives, send it again."
    {...entry}
  >
    <p>
      We sent a code to <strong>{to}</strong>.
    </p>
  </CodeEntry>
);

export function CodeEntry(props: CodeEntryProps) {
  const { children, label = 'Code from the email', submitLabel, wait = RESEND_AFTER, onCode, onResend } = props;
  const { onCancel, missing = 'No email after a minute? Look in the spam folder, or send it again.' } = props;
  return (
    <>
      <CodeForm
        save={({ code }) => onCode(code).then(() => NAVIGATING)}
        onCancel={onCancel}
        submitLabel={submitLabel}
        busyLabel="Checking..."
        more={{ code: { label } }}
      >
        {children}
      </CodeForm>
      {onResend && <CodeResend wait={wait} missing={missing} onResend={onResend} />}
    </>
  );
}

function CodeResend({ wait, missing, onResend }: { wait: number; missing: string; onResend: () => Promise<unknown> }) {
  const [left, begin] = useCountdown(wait);
  const { busy, done, failure, run, say } = useIdentitySubmit();

  async function resend() {
    try {
      const seconds = await onResend();
      const wasSentBefore = typeof seconds === 'number';
      say(wasSentBefore ? 'An email was sent a moment ago.' : 'Sent again.');
      begin(wasSentBefore ? seconds : RESEND_AFTER);
    } catch (error) {
      const seconds = waitIn((error as Error).message ?? '');
      begin(seconds ?? 0);
      if (seconds === null) throw error;
    }
  }

  return (
    <div className="stack gap-2 start">
      <p aria-live="polite">{failure ?? done}</p>
      <p>{missing}</p>
      {/* The button stays focusable while disabled. */}
      <SmallButton
        className="amount"
        busy={busy}
        busyLabel="Sending..."
        aria-disabled={left > 0 || undefined}
        onClick={() => left === 0 && void run(resend)}
      >
        {left > 0 ? `Send it again in ${left} s` : 'Send it again'}
      </SmallButton>
    </div>
  );
}

/** Where a code was sent, and the seconds until the next one, if the server named them. */
export type SentCode = { to: string; wait?: number | undefined };

export async function verifyCode(code: VerifyOtpParams): Promise<object | null> {
  const { data } = requireSuccess(await clients().auth.verifyOtp(code));
  forgetRole();
  return data.session;
}

/** Signs in, and continues to the choice of a password where the server requires one. */
export async function signInWithCode(code: VerifyOtpParams, onSignedIn: () => Promise<unknown>): Promise<void> {
  const session = await verifyCode(code);
  if (code.type === 'signup') await noteConfirmed(clients().auth);
  if (mustChoosePassword(session)) location.replace(CHOOSE_PASSWORD);
  else await onSignedIn();
}

export const CodeConfirm = ({ sent, onSignedIn }: { sent: SentCode; onSignedIn: () => Promise<unknown> }) => (
  <CodeEntry
    submitLabel="Confirm my email address"
    wait={sent.wait}
    onCode={(token) => signInWithCode({ email: sent.to, token, type: 'signup' }, onSignedIn)}
    onResend={() => resendConfirmation(clients().auth, sent.to, location.origin)}
  >
    <p>
      We sent an email to <strong>{sent.to}</strong>. Enter its code here, or click the button in it on any device.
    </p>
  </CodeEntry>
);
