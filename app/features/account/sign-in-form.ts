import { accounts } from '#lib/words/accounts.ts';
import { clients } from '#session/browser.ts';
import { forgetRole } from '#session/current-user.ts';
import { defineForm } from '#ui/form/define-form.tsx';
import { phoneNumber } from './model/account.ts';
import { identityErrors, identityMessage, requireSuccess } from './model/identity-error.ts';

export const emailField = { label: 'Email', kind: 'email', autoComplete: 'username', required: true } as const;

export const EmailForm = defineForm({ fields: { email: { ...emailField, enterKeyHint: 'send' } }, ...identityErrors });

export const PhoneForm = defineForm({
  fields: { phone: { label: 'Phone', kind: 'tel', autoComplete: 'tel', enterKeyHint: 'send', required: true } },
  check: ({ phone }) => ({ phone: phoneNumber(phone) === null && accounts.phoneFormat }),
  ...identityErrors,
});

export type Credentials = { email: string; password: string };

export const SignInForm = defineForm({
  fields: { email: emailField, password: { label: 'Password', kind: 'password', required: true } },
  failed: accounts.failedToLogIn,
  inWords: identityMessage,
});

export async function signInWithPassword(credentials: Credentials): Promise<void> {
  forgetRole();
  requireSuccess(await clients().auth.signInWithPassword(credentials));
}
