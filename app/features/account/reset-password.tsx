import { useEffect, useState } from 'react';
import { href, useSearchParams } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import type { AccountRole } from '#lib/account-role.ts';
import { privatePage } from '#lib/page-headers.ts';
import { accounts } from '#lib/words/accounts.ts';
import { owesSecondFactor } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { ownRole } from '#session/current-user.ts';
import { hasStoredSession } from '#session/stored.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { useHydrated } from '#ui/form/use-hydrated.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { ChoosePassword } from './choose-password.tsx';
import { CodeEntry, type SentCode, verifyCode } from './code/entry.tsx';
import { sendPasswordReset } from './model/account.ts';
import { ProveSecondFactor } from './second-factor.tsx';
import { EmailForm } from './sign-in-form.ts';
import { useArrival } from './use-arrival.ts';
import { accountPage } from './words.ts';
import './sign-in.css';

export const headers = () => privatePage;
export const meta = privateTags('Reset password');

export default function ResetPassword() {
  const [address] = useSearchParams();
  const user = useSignedIn();
  const [owes, setOwes] = useState<boolean | null>(null);
  const isPending = useHydrated() && user !== null && owes === null && hasStoredSession();
  useEffect(() => {
    if (user) void owesSecondFactor().then(setOwes);
  }, [user]);

  if (user && owes)
    return (
      <WorkSheet title="One more step">
        <p>Your account has two-step sign-in. Enter your code, then choose a new password.</p>
        <ProveSecondFactor onProven={async () => setOwes(false)} />
      </WorkSheet>
    );
  const invited = address.has('invited');
  const chooses = address.has('choose');
  if (user && owes === false)
    return (
      <WorkSheet title={invited || chooses ? 'Choose a password' : 'Reset password'}>
        {chooses && (
          <Banner kind="info">
            Your address is confirmed and you are signed in. More than one password was chosen for it before that, so we
            kept none of them. Choose one now.
          </Banner>
        )}
        <NewPassword email={user.email} invited={invited} />
      </WorkSheet>
    );
  return (
    <WorkSheet title="Reset password">{isPending ? <Spinner label={accountPage.loading} /> : <AskForLink />}</WorkSheet>
  );
}

function AskForLink() {
  const [sent, setSent] = useState<SentCode | null>(null);
  const mail = (to: string) => sendPasswordReset(clients().auth, to, location.origin);
  const verify = (token: string) => verifyCode({ email: sent!.to, token, type: 'recovery' });

  // An expired link returns with its error in the address.
  const arrival = useArrival();

  return (
    <>
      <div aria-live="polite">{sent && <Banner kind="success">{accounts.passwordResetSent}</Banner>}</div>
      {sent ? (
        <CodeEntry submitLabel="Choose a new password" onCode={verify} wait={sent.wait} onResend={() => mail(sent.to)}>
          <p>
            If <strong>{sent.to}</strong> has an account here, the email has a link that works on any device, and a code
            to type here.
          </p>
        </CodeEntry>
      ) : (
        <EmailForm
          notice={arrival?.error ?? null}
          more={{ email: { autoFocus: true, hint: 'We send a link that lets you choose a new password.' } }}
          save={async ({ email: to }) => ({ to, wait: await mail(to) })}
          onSaved={setSent}
          submitLabel="Send the link"
          busyLabel="Sending..."
        />
      )}
      <div className="work-links">
        {sent && (
          <Button variant="quiet" onClick={() => setSent(null)}>
            Wrong address?
          </Button>
        )}
        <a href={href('/sign-in')}>Back to sign in</a>
      </div>
    </>
  );
}

function NewPassword({ email, invited }: { email: string; invited: boolean }) {
  const [saved, setSaved] = useState<{ role: AccountRole | null } | null>(null);
  if (saved)
    return (
      <>
        <Banner kind="success">Your new password is set. You are signed in.</Banner>
        <div className="button-row">
          <LinkButton href={href('/my-experiments')}>Go to my experiments</LinkButton>
          {saved.role && (
            <LinkButton href={href('/admin')} variant="secondary">
              Go to the admin area
            </LinkButton>
          )}
        </div>
      </>
    );
  return (
    <ChoosePassword email={email} onSaved={async () => setSaved({ role: await ownRole().catch(() => null) })}>
      <p>
        {invited ? 'Welcome. Choose a password for ' : 'A new password for '}
        <strong>{email || 'your account'}</strong>.
      </p>
    </ChoosePassword>
  );
}
