import { useEffect, useState } from 'react';
import { href } from 'react-router';
import { identityMessage } from '#features/account/model/identity-error.ts';
import { emailField } from '#features/account/sign-in-form.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { privatePage } from '#lib/page-headers.ts';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetRole, ownRole } from '#session/current-user.ts';
import { RedirectNotice } from '#ui/feedback/redirect-notice.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { createDirectly, type DirectRequest, signInDirectly } from './model/direct-access.ts';
import { helpWords, setupKey } from './words/setup.ts';

export const headers = () => privatePage;
export const meta = privateTags(helpWords.directTitle);

const DirectForm = defineForm({
  fields: {
    email: emailField,
    password: { label: 'Password', kind: 'newPassword', autoComplete: 'current-password', hint: null, required: true },
    key: setupKey,
  },
  failed: accounts.failedToLogIn,
  inWords: identityMessage,
});

export default function DirectLogin() {
  const [done, setDone] = useState(false);

  useEffect(() => {
    void ownRole()
      .catch(() => null)
      .then((known) => known && location.replace(href('/admin')));
  }, []);

  async function signIn(request: DirectRequest, pressed: string) {
    forgetRole();
    try {
      if (pressed !== 'create') return await signInDirectly(clients(), request);
      await createDirectly(clients(), request, location.origin).catch((error: unknown) => {
        throw new Error(identityMessage(error, messages.failedToCreateAccount));
      });
    } finally {
      forgetRole();
    }
  }

  return (
    <WorkSheet title={helpWords.directTitle}>
      {done ? (
        <RedirectNotice message="You are in." after={1000} />
      ) : (
        <DirectForm
          save={signIn}
          onSaved={() => setDone(true)}
          actions={(button) => (
            <div className="button-row">
              {button({ value: 'sign-in', children: 'Sign In', busyLabel: 'Signing In...' })}
              {button({ value: 'create', variant: 'secondary', children: 'Create Account', busyLabel: 'Creating...' })}
            </div>
          )}
        />
      )}
      <div className="work-links">
        <a href={href('/')}>Return to Home</a>
        <a href={href('/admin-help')}>Admin Help</a>
        <a href={signInPage(href('/admin'))}>Other ways to sign in</a>
      </div>
    </WorkSheet>
  );
}
