import { type FormEvent, useState } from 'react';
import { accounts } from '../../../copy/accounts.ts';
import { sendPhoneCode } from '../../../models/account/account.ts';
import { phoneNumber } from '../../../models/account/one-time-code.ts';
import { clients } from '../../../session/browser.ts';
import { forgetAdmin } from '../../../session/current-user.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { CodeEntry } from './entry.tsx';
import { useCodeRequest } from './request.ts';

/** A phone number, then the code that was sent to it. A new number becomes a new account. */
export function CodeByPhone({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [wrong, setWrong] = useState(false);
  const { busy, failure, setFailure, sent, ask } = useCodeRequest((to) => sendPhoneCode(clients().auth, to));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const to = phoneNumber(String(new FormData(form).get('phone')));
    setWrong(to === null);
    setFailure(null);
    if (to === null) form.querySelector<HTMLElement>('[name=phone]')?.focus();
    else void ask(to);
  }

  async function signIn(code: string) {
    const { error } = await clients().auth.verifyOtp({ phone: sent!.to, token: code, type: 'sms' });
    if (error) throw error;
    forgetAdmin();
    await onSignedIn();
  }

  if (sent) {
    return (
      <CodeEntry
        label="Code from the message"
        submitLabel="Go on"
        wait={sent.wait}
        missing={accounts.noMessageYet}
        onCode={signIn}
        onResend={() => sendPhoneCode(clients().auth, sent.to)}
      >
        <p>
          We sent a code to <strong>{sent.to}</strong>.
        </p>
      </CodeEntry>
    );
  }
  return (
    <form className="form-stack" method="post" onSubmit={submit}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <TextField
        label="Phone"
        name="phone"
        type="tel"
        autoComplete="tel"
        enterKeyHint="send"
        hint={wrong ? undefined : accounts.phoneFormat}
        error={wrong ? accounts.phoneFormat : null}
        required
      />
      <SubmitButton busy={busy} busyLabel="Sending...">
        Text me a code
      </SubmitButton>
    </form>
  );
}
