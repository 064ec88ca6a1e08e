import { useState } from 'react';
import { href } from 'react-router';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { isAdmin } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { CodeEntry } from './code/entry.tsx';
import { identityMessage } from './model/identity-error.ts';

const PasswordForm = defineForm({
  fields: { password: { label: 'New password', kind: 'newPassword', required: true } },
  failed: messages.anErrorOccurred,
  inWords: identityMessage,
});

export function NewPassword({ email, invited }: { email: string; invited: boolean }) {
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
