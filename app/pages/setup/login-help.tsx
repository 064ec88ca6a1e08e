import { type FormEvent, useState } from 'react';
import { accounts } from '../../copy/accounts.ts';
import { messages } from '../../copy/messages.ts';
import { sendPasswordReset } from '../../models/account/account.ts';
import { identityMessage } from '../../models/account/identity-error.ts';
import { clients } from '../../session/browser.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { EmailField } from '../../ui/form/field.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';

/** Sends a password-reset link. The answer is the same whether or not the address has an account. */
export function LoginHelp() {
  const [state, setState] = useState<'ready' | 'busy' | 'sent'>('ready');
  const [failure, setFailure] = useState<string | null>(null);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    setState('busy');
    setFailure(null);
    try {
      await sendPasswordReset(clients().auth, email, location.origin);
      setState('sent');
    } catch (error) {
      setFailure(identityMessage(error, messages.anErrorOccurred));
      setState('ready');
    }
  }

  return (
    <form className="form-stack" method="post" onSubmit={send}>
      <div aria-live="polite">{state === 'sent' && <Banner kind="success">{accounts.passwordResetSent}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      <EmailField hint="We send a link that lets you choose a new password." />
      <SubmitButton busy={state === 'busy'} busyLabel="Sending...">
        Send reset link
      </SubmitButton>
    </form>
  );
}
