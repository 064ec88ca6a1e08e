import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { privatePage } from '#lib/page-headers.ts';
import { messages } from '#lib/words/messages.ts';
import { placeAfterSignIn, signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetRole } from '#session/current-user.ts';
import { forget, remember } from '#session/remembered.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { NAVIGATING } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/sign-up';
import { CodeConfirm } from './code/entry.tsx';
import { signUp } from './model/account.ts';
import { identityMessage, requireSuccess } from './model/identity-error.ts';
import { Providers } from './providers.tsx';
import { emailField } from './sign-in-form.ts';
import './sign-in.css';

export const headers = () => privatePage;
export const meta = privateTags('Create an account', 'With an account you can manage the experiments you submit.');

export const loader = async ({ context }: Route.LoaderArgs) => ({ ways: await context.get(siteContext).signInWays() });

const SignUpForm = defineForm({
  fields: {
    email: { ...emailField, autoComplete: 'email' },
    password: { label: 'Password', kind: 'newPassword', required: true },
    name: { label: 'Name', autoComplete: 'name', maxLength: MAX_LINE_LENGTH },
  },
  failed: messages.failedToCreateAccount,
  inWords: identityMessage,
});

export default function SignUp({ loaderData: { ways } }: Route.ComponentProps) {
  const [address] = useSearchParams();
  const next = address.get('next');
  const [account, setAccount] = useState({ email: '', name: '' });
  const [isSent, setSent] = useState(false);

  async function create({ email, password, name }: { email: string; password: string; name: string }) {
    forgetRole();
    setAccount({ email, name });
    const account = { email, password, name: name || email.split('@')[0]! };
    const { data } = requireSuccess(await signUp(clients().auth, account, location.origin));
    if (!data.user) throw new Error(messages.failedToCreateAccount);
    if (!data.session) {
      // The e-mail link opens another tab, and its address is the same for all users, so the target is stored.
      if (next !== null) remember('place', next);
      return setSent(true);
    }
    return continueAfterSignUp();
  }

  async function continueAfterSignUp() {
    forget('place');
    location.replace(await placeAfterSignIn(next));
    return NAVIGATING;
  }

  if (isSent)
    return (
      <WorkSheet title="Check your inbox">
        <CodeConfirm sent={{ to: account.email }} onSignedIn={continueAfterSignUp} />
        <div className="work-links">
          <Button variant="quiet" onClick={() => setSent(false)}>
            Wrong address?
          </Button>
          <a href={signInPage(next)}>Back to sign in</a>
        </div>
      </WorkSheet>
    );
  return (
    <WorkSheet title="Create an account">
      <p>You don’t need an account to submit an experiment. With one, you can manage what you submit.</p>
      {!ways.signUp && <Banner kind="info">New accounts are closed for now. Ask us for an invitation.</Banner>}
      {ways.signUp && ways.email && (
        <SignUpForm start={account} save={create} submitLabel="Create Account" busyLabel="Creating..." />
      )}
      {ways.signUp && (ways.phone || ways.providers.length > 0) && (
        <Providers providers={ways.providers} next={next}>
          {ways.phone && (
            <LinkButton className="way" variant="secondary" href={signInPage(next, 'phone')}>
              <Icon name="phone" />
              Use a phone number
            </LinkButton>
          )}
        </Providers>
      )}
      <div className="work-links">
        <a href={signInPage(next)}>I have an account already</a>
      </div>
    </WorkSheet>
  );
}
