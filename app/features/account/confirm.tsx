import { useEffect, useState } from 'react';
import { href, useSearchParams } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { privatePage } from '#lib/page-headers.ts';
import { accounts } from '#lib/words/accounts.ts';
import { owesSecondFactor, placeAfterLink, signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetRole } from '#session/current-user.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { NAVIGATING } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import {
  CHOOSE_PASSWORD,
  confirmationFormOf,
  justInvited,
  type LinkType,
  type MailLink,
  mailLinkFrom,
  mustChoosePassword,
  noteConfirmed,
} from './model/account.ts';
import { identityErrors, requireSuccess } from './model/identity-error.ts';
import { emailField } from './sign-in-form.ts';
import { useIdentitySubmit } from './use-identity-submit.ts';

export const headers = () => privatePage;
export const meta = privateTags('Confirm');

const INVITED = `${href('/reset-password')}?invited`;
const ADDRESS = { title: 'Confirm your address', button: 'Confirm my email address' };
const CHANGE = { title: 'Confirm the change', button: 'Confirm the change' };
const WORDS: Record<LinkType, { title: string; text: string; button: string }> = {
  signup: { ...ADDRESS, text: 'One click, and your account is ready.' },
  email: { ...ADDRESS, text: 'One click, and you are signed in.' },
  invite: { title: 'You are invited', text: 'Accept, then choose a password.', button: 'Accept the invitation' },
  magiclink: { title: 'Sign in', text: 'This link signs you in on this device.', button: 'Sign In' },
  recovery: { title: 'Reset your password', text: 'Next you choose a new password.', button: 'Choose a new password' },
  email_change: { ...CHANGE, text: 'Your account gets another email address once both addresses are confirmed.' },
};

/** Opening a mail link does nothing, because mail scanners open links too; the button redeems it. */
export default function Confirm() {
  const [address] = useSearchParams();
  const [link] = useState(() => mailLinkFrom(address));
  const [next] = useState(() => address.get('next'));

  // Removes the token from the address bar and the history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);

  return link ? <Confirmation link={link} next={next} /> : <CodeFromMail incomplete={address.size > 0} />;
}

function Confirmation({ link, next }: { link: MailLink; next: string | null }) {
  const { busy, failure, submit } = useIdentitySubmit();
  const [halfDone, setHalfDone] = useState(false);
  const user = useSignedIn();
  const words = WORDS[link.type];

  async function confirm() {
    const { auth } = clients();
    forgetRole();
    if (next !== null && isElsewhere(next)) {
      location.assign(await confirmationFormOf(clients(), link, next));
      return NAVIGATING;
    }
    const { data, error } = await auth.verifyOtp({ token_hash: link.tokenHash, type: link.type });
    if (error) throw error.code === 'otp_expired' ? new Error(accounts.linkUsed) : error;
    if (!data.session) return setHalfDone(true);
    if (link.type === 'signup') await noteConfirmed(auth);
    location.replace(mustChoosePassword(data.session) ? CHOOSE_PASSWORD : await placeAfter(link.type, next));
    return NAVIGATING;
  }

  if (halfDone)
    return (
      <WorkSheet title="One more step">
        <Banner kind="success">Address confirmed. Now open the link in the email to your other address.</Banner>
      </WorkSheet>
    );
  return (
    <WorkSheet title={words.title}>
      {failure ? <Banner kind="error">{failure}</Banner> : <p>{words.text}</p>}
      {user && link.type !== 'email_change' && (
        <p>
          You are signed in{user.email && ' as '}
          {user.email && <strong>{user.email}</strong>} here. Continuing signs in the person this email was sent to.
        </p>
      )}
      <form className="button-row" method="post" onSubmit={submit(confirm)}>
        <SubmitButton busy={busy} busyLabel="One moment...">
          {words.button}
        </SubmitButton>
      </form>
      {failure && (
        <div className="work-links">
          <a href={href('/reset-password')}>Ask for a new password link</a>
          <a href={`${href('/sign-in')}?way=mail`}>Ask for a sign-in code</a>
          <a href={href('/sign-in')}>Sign in to get a new confirmation link</a>
        </div>
      )}
    </WorkSheet>
  );
}

/** Page of another site that requested the link; the server decides whether that page may receive the session. */
const isElsewhere = (next: string) => /^https?:/.test(next) && URL.parse(next)?.origin !== location.origin;

async function placeAfter(type: LinkType, next: string | null): Promise<string> {
  if (type === 'invite') return INVITED;
  if (type === 'recovery') return href('/reset-password');
  return (await owesSecondFactor()) ? signInPage(next) : placeAfterLink(next, type === 'signup');
}

const CodeForm = defineForm({
  fields: {
    email: { ...emailField, hint: 'The email address that received the code.' },
    code: { label: 'Code', kind: 'code' },
  },
  ...identityErrors,
});

function CodeFromMail({ incomplete }: { incomplete: boolean }) {
  async function confirm({ email, code }: { email: string; code: string }) {
    forgetRole();
    const { data } = requireSuccess(await clients().auth.verifyOtp({ email, token: code, type: 'email' }));
    const afterInvitation = data.user !== null && justInvited(data.user) ? INVITED : null;
    const target = mustChoosePassword(data.session) ? CHOOSE_PASSWORD : afterInvitation;
    location.replace((await owesSecondFactor()) ? signInPage(target) : await placeAfterLink(target));
    return NAVIGATING;
  }

  return (
    <WorkSheet title={incomplete ? 'This link is incomplete' : 'The code from your email'}>
      {incomplete && (
        <Banner kind="error">Open the link in the email again, or type the code from the email here.</Banner>
      )}
      <CodeForm save={confirm} submitLabel="Continue" busyLabel="Checking..." />
      <div className="work-links">
        <a href={`${href('/sign-in')}?way=mail`}>Ask for a new code</a>
        <a href={href('/reset-password')}>Ask for a new password link</a>
      </div>
    </WorkSheet>
  );
}
