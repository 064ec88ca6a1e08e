import { href } from 'react-router';
import { identityMessage } from '#features/account/model/identity-error.ts';
import { assignAdminRole } from '#features/account/model/role.ts';
import { accounts } from '#lib/words/accounts.ts';
import { owesSecondFactor, signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin, isAdmin } from '#session/current-user.ts';
import { type Credentials, CredentialsForm } from '#ui/form/credentials-form.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';

export const AdminLogin = ({ notice }: { notice: string | null }) => (
  <main>
    <WorkSheet title="Admin Login">
      <CredentialsForm
        submitLabel="Sign In"
        busyLabel="Signing In..."
        failed={accounts.failedToLogIn}
        notice={notice}
        wordsOf={identityMessage}
        hints={loginHints}
        onSubmit={signIn}
      />
      <div className="work-links">
        <a href={href('/reset-password')}>Forgot your password?</a>
        <a href={signInPage(location.pathname + location.search + location.hash)}>Other ways to sign in</a>
        <a href={href('/')}>Return to Home</a>
      </div>
      <details>
        <summary className="tap underlined quiet">Advanced options</summary>
        <ul className="work-list gap-above-small">
          <li>
            <a href={href('/admin-setup')}>Admin Setup</a>: make the first admin with the one-time setup key.
          </li>
          <li>
            <a href={href('/admin-help')}>Admin Help</a>: reset a password, assign the role, find out what is wrong.
          </li>
          <li>
            <a href={href('/admin-login')}>Simple Admin Login</a>: the plain form, or a new account.
          </li>
        </ul>
      </details>
    </WorkSheet>
  </main>
);

async function signIn({ email, password }: Credentials) {
  const { auth, data } = clients();
  forgetAdmin();
  const { error } = await auth.signInWithPassword({ email, password });
  if (error) throw error;
  if (await owesSecondFactor()) return;
  // Without a setup key the server accepts this from admins only and records every other call as an attempt (GATE-13).
  if (!(await isAdmin().catch(() => false))) return;
  await assignAdminRole(data(), email).catch((refusal: Error) =>
    console.warn('Assigning the admin role failed:', refusal.message),
  );
}

export function loginHints(message: string) {
  if (/captcha/i.test(message)) {
    return (
      <ul className="work-list">
        <li>Turn off your VPN and try again.</li>
        <li>Try another browser.</li>
        <li>
          Use the advanced option below: <a href={href('/admin-login')}>Simple Admin Login</a>.
        </li>
      </ul>
    );
  }
  if (message.includes(accounts.emailNotConfirmed)) {
    return (
      <ul className="work-list">
        <li>Open the confirmation link in your inbox first.</li>
        <li>
          Or use the <a href={href('/admin-login')}>Simple Admin Login</a> or{' '}
          <a href={href('/admin-setup')}>Admin Setup</a>.
        </li>
      </ul>
    );
  }
  return null;
}
