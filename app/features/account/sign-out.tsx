import { useState } from 'react';
import { href } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { privatePage } from '#lib/page-headers.ts';
import { signOut } from '#session/current-user.ts';
import { readStored, writeStored } from '#session/stored.ts';
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
  const [everywhere, setEverywhere] = useState(false);

  if (user === null) {
    const isDeleted = readStored('sessionStorage', DELETED) !== null;
    return (
      <WorkSheet title={isDeleted ? 'Your account is deleted' : 'You are signed out'}>
        <p aria-live="polite">
          {everywhere || isDeleted
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
      <p>{user ? `You are signed in${user.email && ` as ${user.email}`}.` : 'Looking for your session...'}</p>
      <SignOutForm
        save={async ({ everywhere }) => {
          setEverywhere(everywhere);
          writeStored('sessionStorage', DELETED, null);
          await signOut(everywhere ? 'global' : 'local');
        }}
        actions={(button) => (
          <div className="button-row">
            {button({ children: 'Sign Out', busyLabel: 'Signing Out...', disabled: !user })}
            <LinkButton href={href('/case-studies')} variant="secondary">
              Stay signed in
            </LinkButton>
          </div>
        )}
      />
    </WorkSheet>
  );
}
