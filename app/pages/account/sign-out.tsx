import { useState } from 'react';
import { messages } from '../../copy/messages.ts';
import { identityMessage } from '../../models/account/identity-error.ts';
import { pageTags } from '../../models/seo/page-meta.ts';
import { signOut } from '../../session/current-user.ts';
import { privatePage } from '../../session/private-page.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button, LinkButton } from '../../ui/form/button.tsx';
import { WorkSheet } from '../../ui/work-sheet.tsx';
import type { Route } from './+types/sign-out';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Sign out', noindex: true });

/** Asks first: a link on another site must not sign anybody out. */
export default function SignOut() {
  const user = useSignedIn();
  const [everywhere, setEverywhere] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function leave() {
    setBusy(true);
    setFailure(null);
    await signOut(everywhere ? 'global' : 'local').catch((error: unknown) =>
      setFailure(identityMessage(error, messages.anErrorOccurred)),
    );
    setBusy(false);
  }

  if (user === null) {
    return (
      <WorkSheet title="You are signed out">
        <p aria-live="polite">
          {everywhere ? 'On this device and on every other one.' : 'This browser keeps no session of yours any more.'}
        </p>
        <div className="button-row">
          <LinkButton href="/">Return to Home</LinkButton>
          <LinkButton href="/sign-in" variant="secondary">
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
      <label className="check">
        <input type="checkbox" checked={everywhere} onChange={(event) => setEverywhere(event.target.checked)} />
        On all my other devices too
      </label>
      <div className="button-row">
        <Button busy={busy} busyLabel="Signing Out..." disabled={!user} onClick={leave}>
          Sign Out
        </Button>
        <LinkButton href="/case-studies" variant="secondary">
          Stay signed in
        </LinkButton>
      </div>
    </WorkSheet>
  );
}
