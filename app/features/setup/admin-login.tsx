import { useEffect } from 'react';
import { href } from 'react-router';
import { identityMessage } from '#features/account/model/identity-error.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin, isAdmin } from '#session/current-user.ts';
import { privatePage } from '#session/private-page.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { RedirectNotice } from '#ui/feedback/redirect-notice.tsx';
import { EmailField } from '#ui/form/field.tsx';
import { PasswordField } from '#ui/form/password-field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { textIn, useSubmit } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/admin-login';
import { createDirectly, signInDirectly } from './model/direct-access.ts';
import { SetupKeyField, setupKeyIn } from './setup-key-field.tsx';
import { DIRECT_REDIRECT, help } from './words/setup.ts';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: help.directTitle, noindex: true });

export default function DirectLogin() {
  const { busy, pressed, done, failure, submit } = useSubmit(accounts.failedToLogIn, identityMessage);

  useEffect(() => {
    void isAdmin()
      .catch(() => false)
      .then((known) => known && location.replace(href('/admin')));
  }, []);

  async function enter(typed: FormData, pressed: string) {
    const request = { email: textIn(typed, 'email'), password: String(typed.get('password')), key: setupKeyIn(typed) };
    forgetAdmin();
    try {
      if (pressed !== 'create') return await signInDirectly(clients(), request);
      await createDirectly(clients(), request, location.origin).catch((error: unknown) => {
        throw new Error(identityMessage(error, messages.failedToCreateAccount));
      });
    } finally {
      forgetAdmin();
    }
  }

  return (
    <WorkSheet title={help.directTitle}>
      {done ? (
        <RedirectNotice message={done} to={href('/admin')} after={DIRECT_REDIRECT} label="Open the admin area" />
      ) : (
        <form className="form-stack" method="post" onSubmit={submit(enter, 'You are in.')}>
          {failure && <Banner kind="error">{failure}</Banner>}
          <EmailField />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            minLength={accounts.minimumPassword}
            required
          />
          <SetupKeyField />
          <div className="button-row">
            <SubmitButton value="sign-in" busy={busy} busyLabel={pressed === 'sign-in' ? 'Signing In...' : undefined}>
              Sign In
            </SubmitButton>
            <SubmitButton
              value="create"
              variant="secondary"
              busy={busy}
              busyLabel={pressed === 'create' ? 'Creating...' : undefined}
            >
              Create Account
            </SubmitButton>
          </div>
        </form>
      )}
      <div className="work-links">
        <a href={href('/')}>Return to Home</a>
        <a href={href('/admin-help')}>Admin Help</a>
        <a href={signInPage(href('/admin'))}>Other ways to sign in</a>
      </div>
    </WorkSheet>
  );
}
