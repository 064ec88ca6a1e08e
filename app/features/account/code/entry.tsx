import type { ReactNode } from 'react';
import { accounts, RESEND_AFTER } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { CodeField } from '#ui/form/code-field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { LEAVING, useSubmit } from '#ui/form/use-submit.ts';
import { identityMessage } from '../model/identity-error.ts';
import { CodeResend } from './resend.tsx';

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
