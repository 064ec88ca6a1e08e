import { useSearchParams } from 'react-router';
import { accounts } from '../../copy/accounts.ts';
import { pageTags } from '../../models/page-meta.ts';
import { clients } from '../../session/browser.ts';
import { forgetAdmin, isAdmin } from '../../session/current-user.ts';
import { nextPath } from '../../session/next-path.ts';
import { privatePage } from '../../session/private-page.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { type Credentials, CredentialsForm } from '../../ui/credentials-form.tsx';
import { WorkSheet } from '../../ui/work-sheet.tsx';
import type { Route } from './+types/sign-in';
import { ResendConfirmation } from './resend-confirmation.tsx';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) =>
  pageTags(page, { title: 'Sign in', description: 'Sign in to look after your experiments.', noindex: true });

export default function SignIn() {
  const [address] = useSearchParams();
  const user = useSignedIn();

  async function signIn({ email, password }: Credentials) {
    forgetAdmin();
    const { error } = await clients().auth.signInWithPassword({ email, password });
    if (error) throw error;
    const home = (await isAdmin().catch(() => false)) ? '/admin' : '/case-studies';
    location.assign(nextPath(address.get('next'), location.origin, home));
    // The button stays busy until the next page is there.
    await new Promise(() => {});
  }

  return (
    <WorkSheet title="Sign in">
      {user && (
        <p>
          You are signed in as <strong>{user.email}</strong>. Go on to the <a href="/case-studies">Mad Experiments</a>,
          or <a href="/sign-out">sign out</a>.
        </p>
      )}
      <CredentialsForm
        submitLabel="Sign In"
        busyLabel="Signing In..."
        failed={accounts.failedToLogIn}
        hints={(message, email) =>
          message.includes(accounts.emailNotConfirmed) && email && <ResendConfirmation email={email} />
        }
        onSubmit={signIn}
      />
      <div className="work-links">
        <a href="/reset-password">Forgot your password?</a>
        <a href="/sign-up">Create an account</a>
      </div>
    </WorkSheet>
  );
}
