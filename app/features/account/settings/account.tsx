import type { User } from '@supabase/auth-js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { href } from 'react-router';
import { readableSize } from '#features/media/model/upload.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { owesSecondFactor } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { signedIn } from '#session/current-user.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button, LinkButton, SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { ChoosePassword } from '../choose-password.tsx';
import { CodeForm } from '../code/entry.tsx';
import { DownloadFile } from '../download-file.tsx';
import { identityErrors, identityMessage, requireSuccess } from '../model/identity-error.ts';
import { makeOwnArchive } from '../model/own-archive.ts';
import { type SignInHandle, useUser } from '../require-sign-in.tsx';
import { ProveSecondFactor } from '../second-factor.tsx';
import { useArrival } from '../use-arrival.ts';
import { useIdentitySubmit } from '../use-identity-submit.ts';
import { accountPage as words } from '../words.ts';
import { DeleteAccount } from './delete-account.tsx';
import { AccountLogins } from './logins.tsx';
import { AccountMail } from './mail-preferences.tsx';
import { AccountFact, AccountNote, AccountPart } from './part.tsx';
import { Security } from './security/security.tsx';
import './account.css';
import '../sign-in.css';

export const handle: SignInHandle = {
  title: words.title,
  signIn: 'Sign in to see your account.',
  loading: words.loading,
  Sheet: WorkSheet,
};
export const meta = privateTags(words.title);

export default function Account() {
  const [owes, setOwes] = useState<boolean | null>(null);
  useEffect(() => void owesSecondFactor().then(setOwes), []);

  return (
    <WorkSheet title={owes ? 'One more step' : words.title}>
      {owes === null && <Spinner label={words.loading} />}
      {owes && <ProveSecondFactor onProven={async () => setOwes(false)} />}
      {owes === false && <Parts />}
    </WorkSheet>
  );
}

async function readUser(): Promise<User> {
  const { data, error } = await clients().auth.getUser();
  if (error) throw new Error(identityMessage(error, words.failedToLoad));
  // The session still has its old address; refreshing it updates menus and other tabs.
  if ((data.user.email ?? '') !== (await signedIn())?.email) await clients().auth.refreshSession();
  return data.user;
}

function Parts() {
  const query = useQuery({ queryKey: ['account'], queryFn: readUser, retry: false });
  const { refetch } = query;
  const arrival = useArrival();

  // A mail link is often opened in another window: its effect shows when this one is focused again.
  useEffect(() => {
    const refresh = () => void refetch();
    addEventListener('focus', refresh);
    return () => removeEventListener('focus', refresh);
  }, [refetch]);

  return (
    <Loaded query={query} loading={words.loading} failed={words.failedToLoad}>
      {(user) => (
        <>
          {arrival && (arrival.error || !arrival.byMail) && (
            <Banner kind={arrival.error ? 'error' : 'success'}>
              {arrival.error ?? 'The account is connected. You can sign in with it from now on.'}
            </Banner>
          )}
          <AccountName user={user} onChange={refetch} />
          <AccountEmail user={user} onChange={refetch} />
          <AccountPassword user={user} onChange={refetch} />
          <AccountLogins user={user} onChange={refetch} />
          <Security />
          <AccountMail />
          <AccountElsewhere />
          <TakeHome />
          <DeleteAccount />
        </>
      )}
    </Loaded>
  );
}

function AccountElsewhere() {
  const submission = useIdentitySubmit();
  const signOutOthers = async () => requireSuccess(await clients().auth.signOut({ scope: 'others' }));
  const signOut = () => submission.run(signOutOthers, 'You are signed out everywhere but here.');
  return (
    <AccountPart title="Other devices" done={submission.done} failure={submission.failure}>
      <AccountNote>Sign out devices that you no longer have with you.</AccountNote>
      <div className="button-row">
        <Button variant="secondary" busy={submission.busy} busyLabel="Signing out..." onClick={() => void signOut()}>
          Sign out everywhere else
        </Button>
        <LinkButton variant="secondary" href={href('/sign-out')}>
          Sign out here
        </LinkButton>
      </div>
    </AccountPart>
  );
}

const NameForm = defineForm({
  fields: { name: { label: 'Your name', autoComplete: 'name', maxLength: MAX_LINE_LENGTH, autoFocus: true } },
  ...identityErrors,
});

function AccountName({ user, onChange }: { user: User; onChange: () => Promise<unknown> }) {
  const name = String(user.user_metadata['name'] ?? '');

  async function save(values: { name: string }) {
    requireSuccess(await clients().auth.updateUser({ data: values }));
    await onChange();
  }

  return (
    <AccountFact
      title="Name"
      fact={name || 'Not set'}
      form={(close) => (
        <NameForm
          start={{ name }}
          save={save}
          onSaved={() => close('Your name is saved.')}
          onCancel={close}
          submitLabel="Save the name"
          busyLabel="Saving..."
        />
      )}
    />
  );
}

function AccountPassword({ user, onChange }: { user: User & { has_password?: boolean }; onChange: () => void }) {
  // Only our own server reports it.
  const hasPassword = user.has_password ?? user.identities?.some(({ provider }) => provider === 'email') ?? false;
  return (
    <AccountFact
      title="Password"
      fact={hasPassword ? 'Set' : 'Not set'}
      change={hasPassword ? 'Change' : 'Choose'}
      form={(close) => (
        <ChoosePassword
          email={user.email ?? ''}
          hasPassword={hasPassword}
          onSaved={() => {
            close('Your new password is set. Other devices are signed out.');
            onChange();
          }}
          onCancel={close}
        />
      )}
    />
  );
}

const EmailForm = defineForm({
  fields: { email: { label: 'New email', kind: 'email', autoComplete: 'email', required: true, autoFocus: true } },
  ...identityErrors,
});

function AccountEmail({ user, onChange }: { user: User; onChange: () => Promise<unknown> }) {
  const { email = '', new_email: waiting } = user;
  const submission = useIdentitySubmit();
  const hint = email
    ? 'We send a link to the new address and one to the address you have now. Both addresses must confirm.'
    : words.emailHintFirst;
  const linkOptions = () => ({ emailRedirectTo: location.origin + href('/account') });

  // The last link may have been opened in another window.
  const lastEmail = useRef(email);
  const { say } = submission;
  useEffect(() => {
    if (lastEmail.current !== email) say(`Your email address is now ${email}.`);
    lastEmail.current = email;
  }, [email, say]);

  async function change(values: { email: string }) {
    submission.reset();
    requireSuccess(await clients().auth.updateUser(values, linkOptions()));
    await onChange();
  }

  async function confirm({ code: token }: { code: string }) {
    const { auth } = clients();
    const redeem = (to: string) => auth.verifyOtp({ email: to, token, type: 'email_change' });
    // The code does not say which mailbox it was sent to.
    const answer = await redeem(waiting!);
    requireSuccess(answer.error && email ? await redeem(email) : answer);
    if (await owesSecondFactor()) location.reload();
    await onChange();
  }

  const resend = () =>
    submission.run(async () => {
      const options = linkOptions();
      requireSuccess(await clients().auth.resend({ type: 'email_change', email: email || waiting!, options }));
    }, 'Sent again. Look in both mailboxes, and in the spam folders.');

  return (
    <AccountFact
      title="Email"
      fact={email || 'None yet'}
      done={submission.done}
      failure={submission.failure}
      form={(close) => (
        <EmailForm
          save={change}
          onSaved={() => close()}
          onCancel={close}
          submitLabel="Send the links"
          busyLabel="Sending..."
          more={{ email: { hint } }}
        />
      )}
    >
      {waiting && (
        <>
          <Banner kind="info">
            <p>{waiting} is not confirmed yet.</p>
            <AccountNote>
              {email
                ? 'Open the links in both mailboxes, the old and the new one, or type the codes here. Until then nothing changes.'
                : words.emailHintFirst}
            </AccountNote>
            <p className="gap-above">
              <SmallButton busy={submission.busy} busyLabel="Sending..." onClick={() => void resend()}>
                Send again
              </SmallButton>
            </p>
          </Banner>
          <CodeForm
            save={confirm}
            onSaved={(_, form) => {
              form.reset();
              say('Address confirmed. Now open the link in the email to your other address, or type its code here.');
            }}
            submitLabel="Confirm the code"
            busyLabel="Checking..."
            more={{ code: { label: 'Code from the email', autoFocus: false } }}
          />
        </>
      )}
    </AccountFact>
  );
}

function TakeHome() {
  const { id } = useUser();
  const [done, setDone] = useState<string | null>(null);
  return (
    <AccountPart title="Your data" done={done}>
      <AccountNote>
        One file with your account, your experiments and drafts with their pictures and videos, your statements, our
        answers to you, your comments, the messages you sent us, and the log of what you did. Passwords and secret keys
        are not in it.
      </AccountNote>
      <DownloadFile
        label="Download my data"
        busyLabel="Getting your data ready..."
        progressLabel="Download of your data"
        fileName="my-data"
        download={(signal, report) => makeOwnArchive(clients(), id, signal, report)}
        onRunning={(running) => running && setDone(null)}
        onSaved={(file) => setDone(`Your data is in the file: ${readableSize(file.size)}.`)}
        onCancelled={setDone}
      />
    </AccountPart>
  );
}
