import { accounts, arrivalFailed } from '#lib/words/accounts.ts';
import { rememberNext } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { defineForm } from '#ui/form/define-form.tsx';
import { LEAVING, WrongFields } from '#ui/form/use-submit.ts';
import { identityMessage } from './model/identity-error.ts';
import { domainOf } from './model/one-time-code.ts';

const CompanyForm = defineForm({
  fields: {
    email: {
      label: 'Work email',
      inputMode: 'email',
      autoComplete: 'username',
      autoCapitalize: 'none',
      spellCheck: false,
      enterKeyHint: 'go',
      hint: 'Your company asks for your password, not we.',
      required: true,
    },
  },
  failed: arrivalFailed,
  inWords: identityMessage,
});

export function CompanySignIn({ email, next }: { email: string; next: string | null }) {
  async function leave(values: { email: string }) {
    const domain = domainOf(values.email);
    if (domain === null) throw new WrongFields({ email: accounts.addressFormat });
    rememberNext(next);
    const { error } = await clients().auth.signInWithSSO({ domain, options: { redirectTo: `${location.origin}/` } });
    if (error) throw error;
    return LEAVING;
  }
  return <CompanyForm start={{ email }} save={leave} submitLabel="Go to my company" busyLabel="One moment..." />;
}
