import type { User } from '@supabase/auth-js';
import { useEffect, useRef } from 'react';
import { href } from 'react-router';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { identityErrors, requireSuccess } from '../model/identity-error.ts';
import { useIdentitySubmit } from '../use-identity-submit.ts';
import { accountPage as words } from '../words.ts';
import { AccountFact } from './part.tsx';

const EmailForm = defineForm({
  fields: { email: { label: 'New email', kind: 'email', autoComplete: 'email', required: true, autoFocus: true } },
  ...identityErrors,
});

export function AccountEmail({ user, onChange }: { user: User; onChange: () => Promise<unknown> }) {
  const { email = '', new_email: waiting } = user;
  const submission = useIdentitySubmit();
  const emailRedirectTo = () => location.origin + href('/account');

  // The last link may have been opened in another window.
  const lastEmail = useRef(email);
  const { say } = submission;
  useEffect(() => {
    if (lastEmail.current !== email) say(`Your email address is now ${email}.`);
    lastEmail.current = email;
  }, [email, say]);

  async function change(values: { email: string }) {
    submission.reset();
    requireSuccess(await clients().auth.updateUser(values, { emailRedirectTo: emailRedirectTo() }));
    await onChange();
  }

  const resend = () =>
    submission.run(async () => {
      const options = { emailRedirectTo: emailRedirectTo() };
      requireSuccess(await clients().auth.resend({ type: 'email_change', email: email || waiting!, options }));
    }, 'Sent again. Look in both mailboxes, and in the spam folders.');

  return (
    <AccountFact
      title="Email"
      fact={email || 'None yet'}
      what="your email"
      done={submission.done}
      failure={submission.failure}
      form={(close) => (
        <EmailForm
          save={change}
          onSaved={() => close()}
          onCancel={close}
          submitLabel="Send the links"
          busyLabel="Sending..."
          more={{
            email: {
              hint: email
                ? 'We send a link to the new address and one to the address you have now. Both addresses must confirm.'
                : words.emailHintFirst,
            },
          }}
        />
      )}
    >
      {(isOpen) =>
        waiting &&
        !isOpen && (
          <Banner kind="info">
            <p>{waiting} is not confirmed yet.</p>
            <p className="account-small regular quiet">
              {email
                ? 'Open the links in both mailboxes, the old and the new one. Until then nothing changes.'
                : words.emailHintFirst}
            </p>
            <p className="gap-above">
              <SmallButton busy={submission.busy} busyLabel="Sending..." onClick={() => void resend()}>
                Send again
              </SmallButton>
            </p>
          </Banner>
        )
      }
    </AccountFact>
  );
}
