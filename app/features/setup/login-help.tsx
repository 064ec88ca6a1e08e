import { sendPasswordReset } from '#features/account/model/account.ts';
import { identityMessage } from '#features/account/model/identity-error.ts';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { EmailField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { textIn, useSubmit } from '#ui/form/use-submit.ts';

/** The response is the same whether or not the address has an account. */
export function LoginHelp() {
  const { busy, done, failure, submit } = useSubmit(messages.anErrorOccurred, identityMessage);
  const send = (typed: FormData) => sendPasswordReset(clients().auth, textIn(typed, 'email'), location.origin);

  return (
    <form className="form-stack" method="post" onSubmit={submit(send, accounts.passwordResetSent)}>
      <div aria-live="polite">{done && <Banner kind="success">{done}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      <EmailField hint="We send a link that lets you choose a new password." />
      <SubmitButton busy={busy} busyLabel="Sending...">
        Send reset link
      </SubmitButton>
    </form>
  );
}
