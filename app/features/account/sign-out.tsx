import { useState } from 'react';
import { href } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { messages } from '#lib/words/messages.ts';
import { signOut } from '#session/current-user.ts';
import { privatePage } from '#session/private-page.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/sign-out';
import { identityMessage } from './model/identity-error.ts';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Sign out', noindex: true });

/** Requires a click: a link on another site must not sign users out (CSRF). */
export default function SignOut() {
  const user = useSignedIn();
  const [everywhere, setEverywhere] = useState(false);
  const { busy, failure, submit } = useSubmit(messages.anErrorOccurred, identityMessage);

  async function leave(typed: FormData) {
    const others = typed.has('everywhere');
    setEverywhere(others);
    await signOut(others ? 'global' : 'local');
  }

  if (user === null) {
    return (
      <WorkSheet title="You are signed out">
        <p aria-live="polite">
          {everywhere ? 'On this device and on every other one.' : 'This browser keeps no session of yours any more.'}
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
      {failure && <Banner kind="error">{failure}</Banner>}
      <p>{user ? `You are signed in${user.email && ` as ${user.email}`}.` : 'Looking for your session...'}</p>
      <form className="form-stack" method="post" onSubmit={submit(leave)}>
        <label className="check">
          <input type="checkbox" name="everywhere" />
          On all my other devices too
        </label>
        <div className="button-row">
          <SubmitButton busy={busy} busyLabel="Signing Out..." disabled={!user}>
            Sign Out
          </SubmitButton>
          <LinkButton href={href('/case-studies')} variant="secondary">
            Stay signed in
          </LinkButton>
        </div>
      </form>
    </WorkSheet>
  );
}
