import { useEffect, useState } from 'react';
import { href, useSearchParams } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { accounts } from '#lib/words/accounts.ts';
import { owesSecondFactor } from '#session/after-sign-in.ts';
import { arrival, clients } from '#session/browser.ts';
import { privatePage } from '#session/private-page.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { EmailField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/reset-password';
import { CodeEntry } from './code/entry.tsx';
import { useCodeRequest } from './code/request.ts';
import { sendPasswordReset } from './model/account.ts';
import { arrivalMessage } from './model/identity-error.ts';
import { NewPassword } from './reset-password-new.tsx';
import { ProveSecondFactor } from './second-factor.tsx';
import './sign-in.css';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Reset password', noindex: true });

export default function ResetPassword() {
  const [address] = useSearchParams();
  const user = useSignedIn();
  const [owes, setOwes] = useState<boolean | null>(null);
  useEffect(() => {
    if (user) void owesSecondFactor().then(setOwes);
  }, [user]);

  if (user && owes) {
    return (
      <WorkSheet title="One more step">
        <p>Your account has two-step sign-in. Enter your code, then choose a new password.</p>
        <ProveSecondFactor onProven={async () => setOwes(false)} />
      </WorkSheet>
    );
  }
  if (user && owes === false) {
    const invited = address.has('invited');
    const chooses = address.has('choose');
    return (
      <WorkSheet title={invited || chooses ? 'Choose a password' : 'Reset password'}>
        {chooses && <Banner kind="info">{accounts.severalSignedUp}</Banner>}
        <NewPassword email={user.email} invited={invited} />
      </WorkSheet>
    );
  }
  return (
    <WorkSheet title="Reset password">
      <AskForLink />
    </WorkSheet>
  );
}

function AskForLink() {
  const mail = (to: string) => sendPasswordReset(clients().auth, to, location.origin);
  const { busy, failure, complain, sent, ask, startOver } = useCodeRequest(mail, (typed) => textIn(typed, 'email'));

  // An expired link returns with its error in the address.
  useEffect(() => {
    void arrival().then((brought) => brought?.error && complain(arrivalMessage(brought.error)));
  }, [complain]);

  async function signIn(code: string) {
    const { error } = await clients().auth.verifyOtp({ email: sent!.to, token: code, type: 'recovery' });
    if (error) throw error;
  }

  return (
    <>
      <div aria-live="polite">{sent && <Banner kind="success">{accounts.passwordResetSent}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      {sent ? (
        <CodeEntry
          label="Code from the mail"
          submitLabel="Choose a new password"
          onCode={signIn}
          wait={sent.wait}
          onResend={() => mail(sent.to)}
        >
          <p>
            If <strong>{sent.to}</strong> has an account here, the mail has a link that works on any device, and a code
            to type here.
          </p>
        </CodeEntry>
      ) : (
        <form className="form-stack" method="post" onSubmit={ask}>
          <EmailField enterKeyHint="send" hint="We send a link that lets you choose a new password." />
          <SubmitButton busy={busy} busyLabel="Sending...">
            Send the link
          </SubmitButton>
        </form>
      )}
      <div className="work-links">
        {sent && (
          <Button variant="quiet" onClick={startOver}>
            Wrong address?
          </Button>
        )}
        <a href={href('/sign-in')}>Back to sign in</a>
      </div>
    </>
  );
}
