import { useState } from 'react';
import { accounts } from '../../copy/accounts.ts';
import { messages } from '../../copy/messages.ts';
import { signUp } from '../../models/account.ts';
import { pageTags } from '../../models/page-meta.ts';
import { clients } from '../../session/browser.ts';
import { privatePage } from '../../session/private-page.ts';
import { Banner } from '../../ui/banner.tsx';
import { type Credentials, CredentialsForm } from '../../ui/credentials-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { WorkSheet } from '../../ui/work-sheet.tsx';
import type { Route } from './+types/sign-up';
import { ResendConfirmation } from './resend-confirmation.tsx';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) =>
  pageTags(page, {
    title: 'Create an account',
    description: 'With an account the experiments you submit stay yours to look after.',
    noindex: true,
  });

export default function SignUp() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [name, setName] = useState('');

  async function create({ email, password }: Credentials) {
    const account = { email, password, name: name.trim() || email.split('@')[0]! };
    const { data, error } = await signUp(clients().auth, account, location.origin);
    if (error) throw error;
    if (!data.user) throw new Error(messages.failedToCreateAccount);
    if (!data.session) return setSentTo(email);
    location.assign('/case-studies');
    await new Promise(() => {});
  }

  if (sentTo) {
    return (
      <WorkSheet title="Check your inbox">
        <Banner kind="success">
          We sent a confirmation link to {sentTo}. Open it, press the button there, and you are in.
        </Banner>
        <p>Nothing there after a few minutes? Look in the spam folder, or send it again.</p>
        <ResendConfirmation email={sentTo} />
        <div className="work-links">
          <a href="/sign-in">Back to sign in</a>
        </div>
      </WorkSheet>
    );
  }
  return (
    <WorkSheet title="Create an account">
      <p>Nobody needs an account to submit an experiment. With one, what you submit stays yours to look after.</p>
      <CredentialsForm
        submitLabel="Create Account"
        busyLabel="Creating..."
        failed={messages.failedToCreateAccount}
        newPassword={{ minLength: accounts.minimumPassword, hint: accounts.tooShort(accounts.minimumPassword) }}
        onSubmit={create}
      >
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </CredentialsForm>
      <div className="work-links">
        <a href="/sign-in">I have an account already</a>
      </div>
    </WorkSheet>
  );
}
