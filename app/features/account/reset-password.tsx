import { useEffect, useState } from 'react';
import { href, useSearchParams } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { accounts } from '#lib/words/accounts.ts';
import { owesSecondFactor } from '#session/after-sign-in.ts';
import { arrival, clients } from '#session/browser.ts';
import { privatePage } from '#session/private-page.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { EmailField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/reset-password';
import { CodeEntry, useCodeRequest } from './code/entry.tsx';
import { sendPasswordReset } from './model/account.ts';
import { arrivalMessage, identityMessage } from './model/identity-error.ts';
import { ProveSecondFactor } from './second-factor.tsx';
import './sign-in.css';
import { messages } from '#lib/words/messages.ts';
import { isAdmin } from '#session/current-user.ts';
import { defineForm } from '#ui/form/define-form.tsx';

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

const PasswordForm = defineForm({
  fields: { password: { label: 'New password', kind: 'newPassword', required: true } },
  failed: messages.anErrorOccurred,
  inWords: identityMessage,
});

function NewPassword({ email, invited }: { email: string; invited: boolean }) {
  const [done, setDone] = useState(false);
  const [admin, setAdmin] = useState(false);
  // In memory until the code is entered; never in the address or in storage.
  const [waiting, setWaiting] = useState<string | null>(null);

  async function set(password: string, nonce?: string) {
    const { error } = await clients().auth.updateUser({ password, ...(nonce && { nonce }) });
    if (error) throw error;
    setWaiting(null);
    setAdmin(await isAdmin().catch(() => false));
    setDone(true);
  }

  async function sendCode() {
    const { error } = await clients().auth.reauthenticate();
    if (error) throw error;
  }

  async function save({ password }: { password: string }) {
    await set(password).catch(async (error: { code?: string }) => {
      if (error.code !== 'reauthentication_needed') throw error;
      await sendCode();
      setWaiting(password);
    });
  }

  if (done) {
    return (
      <>
        <Banner kind="success">Your new password is set. You are signed in.</Banner>
        <div className="button-row">
          <LinkButton href={href('/my-experiments')}>Go to my experiments</LinkButton>
          {admin && (
            <LinkButton href={href('/admin')} variant="secondary">
              Go to the admin area
            </LinkButton>
          )}
        </div>
      </>
    );
  }
  if (waiting !== null) {
    return (
      <CodeEntry
        label="Code from the mail"
        submitLabel="Save the new password"
        onCode={(code) => set(waiting, code)}
        onResend={sendCode}
      >
        <p>
          You signed in a while ago, so we sent a code to <strong>{email}</strong> to be sure that it is you.
        </p>
      </CodeEntry>
    );
  }
  return (
    <PasswordForm save={save} submitLabel="Save the new password" busyLabel="Saving...">
      <p>
        {invited ? 'Welcome. Choose a password for ' : 'A new password for '}
        <strong>{email || 'your account'}</strong>.
      </p>
      {/* Password managers store the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
    </PasswordForm>
  );
}
