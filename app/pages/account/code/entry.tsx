import { type FormEvent, type ReactNode, useState } from 'react';
import { accounts, RESEND_AFTER } from '../../../copy/accounts.ts';
import { messages } from '../../../copy/messages.ts';
import { identityMessage } from '../../../models/account/identity-error.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { CodeField } from '../../../ui/form/code-field.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { CodeResend } from './resend.tsx';

/** Asks for a code that was sent, or that an app shows; stays busy until the next page or step is there. */
export function CodeEntry({
  children,
  label = 'Code',
  hint,
  submitLabel,
  wait = RESEND_AFTER,
  missing = 'Nothing there after a minute? Look in the spam folder, or send it again.',
  onCode,
  onResend,
}: {
  /** Where the code is to be found. */
  children: ReactNode;
  label?: string;
  hint?: string;
  submitLabel: string;
  /** Seconds until another can be asked for. */
  wait?: number | undefined;
  missing?: string;
  onCode: (code: string) => Promise<void>;
  /** Left out where codes are not sent. */
  onResend?: () => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ field: boolean; message: string } | null>(null);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const code = String(new FormData(event.currentTarget).get('code'));
    setBusy(true);
    setRefusal(null);
    try {
      await onCode(code);
    } catch (error) {
      const message = identityMessage(error, messages.anErrorOccurred);
      setRefusal({ message, field: message === accounts.wrongCode || message === accounts.wrongFactorCode });
      setBusy(false);
    }
  }

  return (
    <>
      {refusal && !refusal.field && <Banner kind="error">{refusal.message}</Banner>}
      {children}
      <form className="form-stack" method="post" onSubmit={send}>
        <CodeField label={label} hint={hint} error={refusal?.field ? refusal.message : null} />
        <SubmitButton busy={busy} busyLabel="Checking...">
          {submitLabel}
        </SubmitButton>
      </form>
      {onResend && <CodeResend wait={wait} missing={missing} onResend={onResend} />}
    </>
  );
}
