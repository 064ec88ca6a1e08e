import { type FormEvent, useEffect, useState } from 'react';
import { accounts } from '../../copy/accounts.ts';
import { messages } from '../../copy/messages.ts';
import { sendPasswordReset } from '../../models/account.ts';
import { messageOf } from '../../models/api-error.ts';
import { pageTags } from '../../models/page-meta.ts';
import { clients } from '../../session/browser.ts';
import { privatePage } from '../../session/private-page.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { WorkSheet } from '../../ui/work-sheet.tsx';
import type { Route } from './+types/reset-password';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Reset password', noindex: true });

/** Without a session it sends a link; whoever comes back by that link has a session and sets a new password. */
export default function ResetPassword() {
  const user = useSignedIn();
  return <WorkSheet title="Reset password">{user ? <NewPassword email={user.email} /> : <AskForLink />}</WorkSheet>;
}

function AskForLink() {
  const [state, setState] = useState<'ready' | 'busy' | 'sent'>('ready');
  const [failure, setFailure] = useState<string | null>(null);

  // A link that was too old comes back with its reason in the address.
  useEffect(() => {
    void clients()
      .auth.initialize()
      .then(({ error }) => error && setFailure(error.message));
  }, []);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    setState('busy');
    setFailure(null);
    const { error } = await sendPasswordReset(clients().auth, email, location.origin);
    if (error) setFailure(error.message || messages.anErrorOccurred);
    setState(error ? 'ready' : 'sent');
  }

  return (
    <>
      <div aria-live="polite">{state === 'sent' && <Banner kind="success">{accounts.passwordResetSent}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      <form className="form-stack" method="post" onSubmit={send}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          hint="We send a link that lets you choose a new password."
          required
        />
        <SubmitButton busy={state === 'busy'} busyLabel="Sending...">
          Send the link
        </SubmitButton>
      </form>
      <div className="work-links">
        <a href="/sign-in">Back to sign in</a>
      </div>
    </>
  );
}

function NewPassword({ email }: { email: string }) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    setBusy(true);
    setFailure(null);
    try {
      const { error } = await clients().auth.updateUser({ password });
      if (error) throw error;
      setDone(true);
    } catch (error) {
      setFailure(messageOf(error, messages.anErrorOccurred));
    } finally {
      setBusy(false);
    }
  }

  if (done) {
    return (
      <>
        <Banner kind="success">Your new password is set. You are signed in.</Banner>
        <div className="button-row">
          <LinkButton href="/case-studies">Go to Mad Experiments</LinkButton>
          <LinkButton href="/admin" variant="secondary">
            Go to the admin area
          </LinkButton>
        </div>
      </>
    );
  }
  return (
    <form className="form-stack" method="post" onSubmit={save}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <p>
        A new password for <strong>{email}</strong>.
      </p>
      {/* Password managers file the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={accounts.minimumPassword}
        hint={accounts.tooShort(accounts.minimumPassword)}
        required
      />
      <SubmitButton busy={busy} busyLabel="Saving...">
        Save the new password
      </SubmitButton>
    </form>
  );
}
