import { accounts, arrivalFailed } from '#lib/words/accounts.ts';
import { rememberNext } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { LEAVING, textIn, useSubmit, WrongFields } from '#ui/form/use-submit.ts';
import { identityMessage } from './model/identity-error.ts';
import { domainOf } from './model/one-time-code.ts';

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
