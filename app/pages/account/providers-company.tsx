import { type FormEvent, useState } from 'react';
import { accounts, arrivalFailed } from '../../copy/accounts.ts';
import { identityMessage } from '../../models/account/identity-error.ts';
import { domainOf } from '../../models/account/one-time-code.ts';
import { rememberNext } from '../../session/after-sign-in.ts';
import { clients } from '../../session/browser.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';

/** Signing in where one works: the domain of the address says which company asks for the password. */
export function CompanySignIn({ email, next }: { email: string; next: string | null }) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function leave(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const domain = domainOf(String(new FormData(form).get('email')));
    setWrong(domain === null);
    setFailure(null);
    if (domain === null) return form.querySelector<HTMLElement>('[name=email]')?.focus();
    setBusy(true);
    rememberNext(next);
    // Success leaves this page, so the button stays busy.
    const { error } = await clients().auth.signInWithSSO({ domain, options: { redirectTo: `${location.origin}/` } });
    if (!error) return;
    setFailure(identityMessage(error, arrivalFailed));
    setBusy(false);
  }

  return (
    <form className="form-stack" method="post" onSubmit={leave}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <TextField
        label="Work email"
        name="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        defaultValue={email}
        hint={wrong ? undefined : 'Your company asks for your password, not we.'}
        error={wrong ? accounts.addressFormat : null}
        required
      />
      <SubmitButton busy={busy} busyLabel="One moment...">
        Go to my company
      </SubmitButton>
    </form>
  );
}
