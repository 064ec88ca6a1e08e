import { type FormEvent, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { messages } from '../../copy/messages.ts';
import { type LinkType, type MailLink, mailLinkFrom, noteConfirmed } from '../../models/account.ts';
import { messageOf } from '../../models/api-error.ts';
import { pageTags } from '../../models/page-meta.ts';
import { clients } from '../../session/browser.ts';
import { forgetAdmin, isAdmin } from '../../session/current-user.ts';
import { nextPath } from '../../session/next-path.ts';
import { privatePage } from '../../session/private-page.ts';
import { Banner } from '../../ui/banner.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { WorkSheet } from '../../ui/work-sheet.tsx';
import type { Route } from './+types/confirm';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Confirm', noindex: true, path: '/confirm' });

const WORDS: Record<LinkType, { title: string; text: string; button: string }> = {
  signup: {
    title: 'Confirm your address',
    text: 'One press, and your account is ready.',
    button: 'Confirm my email address',
  },
  email: { title: 'Confirm your address', text: 'One press, and you are in.', button: 'Confirm my email address' },
  invite: { title: 'You are invited', text: 'Accept, then choose a password.', button: 'Accept the invitation' },
  magiclink: { title: 'Sign in', text: 'This link signs you in on this device.', button: 'Sign In' },
  recovery: { title: 'Reset your password', text: 'Next you choose a new password.', button: 'Choose a new password' },
  email_change: {
    title: 'Confirm your new address',
    text: 'Your account will use it from now on.',
    button: 'Confirm the change',
  },
};

/** Where links in mails lead. Opening one does nothing, because mail scanners open links too; the button does. */
export default function Confirm() {
  const [address] = useSearchParams();
  const [link] = useState(() => mailLinkFrom(address));
  const [next] = useState(() => address.get('next'));

  // The token leaves the address bar, the history and whatever copies addresses.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);

  if (!link) {
    return (
      <WorkSheet title="This link is incomplete">
        <Banner kind="error">Open it again from the mail, or copy all of it.</Banner>
        <Fresh />
      </WorkSheet>
    );
  }
  return <Confirmation link={link} next={next} />;
}

function Confirmation({ link, next }: { link: MailLink; next: string | null }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [halfDone, setHalfDone] = useState(false);
  const words = WORDS[link.type];

  async function confirm(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const { auth } = clients();
      forgetAdmin();
      const { data, error } = await auth.verifyOtp({ token_hash: link.tokenHash, type: link.type });
      if (error) {
        throw error.code === 'otp_expired' ? new Error('This link has expired or was used before.') : error;
      }
      if (!data.session) return setHalfDone(true);
      if (link.type === 'signup') await noteConfirmed(auth);
      location.replace(await placeAfter(link.type, next));
    } catch (error) {
      setFailure(messageOf(error, messages.anErrorOccurred));
      setBusy(false);
    }
  }

  if (halfDone) {
    return (
      <WorkSheet title="One more step">
        <Banner kind="success">This address is confirmed. Open the link we sent to your other address too.</Banner>
      </WorkSheet>
    );
  }
  return (
    <WorkSheet title={words.title}>
      {failure ? <Banner kind="error">{failure}</Banner> : <p>{words.text}</p>}
      <form className="button-row" method="post" onSubmit={confirm}>
        <SubmitButton busy={busy} busyLabel="One moment...">
          {words.button}
        </SubmitButton>
      </form>
      {failure && <Fresh />}
      <noscript>
        <Banner kind="info">This step needs JavaScript: the session is kept by the browser alone.</Banner>
      </noscript>
    </WorkSheet>
  );
}

const Fresh = () => (
  <div className="work-links">
    <a href="/reset-password">Ask for a new password link</a>
    <a href="/sign-in">Sign in to get a new confirmation link</a>
  </div>
);

/** Every sign-up names the admin area as its target; people who may not enter it go where their experiments are. */
async function placeAfter(type: LinkType, next: string | null): Promise<string> {
  if (type === 'recovery' || type === 'invite') return '/reset-password';
  const path = nextPath(next, location.origin, '/case-studies');
  const behindGate = path === '/admin' || path.startsWith('/admin/');
  return behindGate && !(await isAdmin().catch(() => false)) ? '/case-studies' : path;
}
