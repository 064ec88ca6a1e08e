import { accounts, arrivalFailed } from '../../copy/accounts.ts';
import { identityMessage } from '../../models/account/identity-error.ts';
import { domainOf } from '../../models/account/one-time-code.ts';
import { rememberNext } from '../../session/after-sign-in.ts';
import { clients } from '../../session/browser.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { LEAVING, textIn, useSubmit, WrongFields } from '../../ui/form/use-submit.ts';

export function CompanySignIn({ email, next }: { email: string; next: string | null }) {
  const form = useSubmit(arrivalFailed, identityMessage);
  const wrong = form.wrong['email'];

  async function leave(typed: FormData) {
    const domain = domainOf(textIn(typed, 'email'));
    if (domain === null) throw new WrongFields({ email: accounts.addressFormat });
    rememberNext(next);
    const { error } = await clients().auth.signInWithSSO({ domain, options: { redirectTo: `${location.origin}/` } });
    if (error) throw error;
    return LEAVING;
  }

  return (
    <form className="form-stack" method="post" onSubmit={form.submit(leave)}>
      {form.failure && <Banner kind="error">{form.failure}</Banner>}
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
        error={wrong}
        required
      />
      <SubmitButton busy={form.busy} busyLabel="One moment...">
        Go to my company
      </SubmitButton>
    </form>
  );
}
