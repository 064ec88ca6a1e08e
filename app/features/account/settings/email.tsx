import type { User } from '@supabase/auth-js';
import { useEffect, useRef } from 'react';
import { href } from 'react-router';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import { accountPage as words } from '../words.ts';
import { AccountPart, checked, PartForm, useAccountSubmit, useOpener } from './part.tsx';

export function AccountEmail({ user, onChange }: { user: User; onChange: () => Promise<void> }) {
  const { email = '', new_email: waiting } = user;
  const form = useOpener();
  const act = useAccountSubmit();

  // The last link may have been opened in another window.
  const known = useRef(email);
  const { say } = act;
  useEffect(() => {
    if (known.current !== email) say(words.emailChanged(email));
    known.current = email;
  }, [email, say]);

  async function change(typed: FormData) {
    const { auth } = clients();
    checked(
      await auth.updateUser({ email: textIn(typed, 'email') }, { emailRedirectTo: location.origin + href('/account') }),
    );
    await onChange();
  }

  const again = () =>
    act.run(async () => {
      const options = { emailRedirectTo: location.origin + href('/account') };
      checked(await clients().auth.resend({ type: 'email_change', email: email || waiting!, options }));
    }, words.emailAgain);

  return (
    <AccountPart title="Email" done={act.done} failure={act.failure}>
      {form.open ? (
        <PartForm
          submitLabel="Send the links"
          busyLabel="Sending..."
          busy={act.busy}
          onSubmit={act.submit(change, form.hide)}
          onCancel={form.hide}
        >
          <TextField
            label="New email"
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            hint={email ? words.emailHint : words.emailHintFirst}
            required
            autoFocus
          />
        </PartForm>
      ) : (
        <div className="cluster apart account-fact">
          <p>{email || 'None yet'}</p>
          <Button ref={form.button} variant="quiet" onClick={form.show}>
            Change<span className="hidden-text"> your email</span>
          </Button>
        </div>
      )}
      {waiting && !form.open && (
        <Banner kind="info">
          <p>{words.emailWaiting(waiting)}</p>
          <p className="account-small">{email ? words.emailBoth : words.emailHintFirst}</p>
          <p className="gap-above">
            <Button
              variant="secondary"
              size="admin"
              busy={act.busy}
              busyLabel="Sending..."
              onClick={() => void again()}
            >
              Send again
            </Button>
          </p>
        </Banner>
      )}
    </AccountPart>
  );
}
