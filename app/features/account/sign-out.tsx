import { useState } from 'react';
import { href } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { privatePage } from '#lib/page-headers.ts';
import { signOut } from '#session/current-user.ts';
import { hasStoredSession, readStored, writeStored } from '#session/stored.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { DELETED } from './model/account.ts';
import { identityErrors } from './model/identity-error.ts';

export const headers = () => privatePage;
export const meta = privateTags('Sign out');

const SignOutForm = defineForm({
  fields: { everywhere: { label: 'On all my other devices too', kind: 'check' } },
  ...identityErrors,
});

/** Requires a click: a link on another site must not sign users out (CSRF). */
export default function SignOut() {
  const user = useSignedIn();
  const email = user?.email;
  // A new object renders again: while the server is unreachable, the user is null before and after.
  const [attempt, setAttempt] = useState({ everywhere: false });

  if (user === null && !hasStoredSession()) {
    const isDeleted = readStored('sessionStorage', DELETED) !== null;
    return (
      <WorkSheet title={isDeleted ? 'Your account is deleted' : 'You are signed out'}>
        <p aria-live="polite">
          {attempt.everywhere || isDeleted
            ? 'On this device and on every other one.'
            : 'You are no longer signed in on this browser.'}
        </p>
        <div className="button-row">
          <LinkButton href={href('/')}>Return to Home</LinkButton>
          <LinkButton href={href('/sign-in')} variant="secondary">
            Sign in again
          </LinkButton>
        </div>
      </WorkSheet>
    );
  }
  return (
    <WorkSheet title="Sign out">
      <p>{user === undefined ? 'Looking for your session...' : `You are signed in${email ? ` as ${email}` : ''}.`}</p>
      <SignOutForm
        save={async ({ everywhere }) => {
          writeStored('sessionStorage', DELETED, null);
          await signOut(everywhere ? 'global' : 'local').finally(() => setAttempt({ everywhere }));
        }}
        actions={(button) => (
          <div className="button-row">
            {button({ children: 'Sign Out', busyLabel: 'Signing Out...', disabled: user === undefined })}
            <LinkButton href={href('/case-studies')} variant="secondary">
              Stay signed in
            </LinkButton>
          </div>
        )}
      />
    </WorkSheet>
  );
}
