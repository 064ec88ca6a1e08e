import { href } from 'react-router';
import { assignAdminRole } from '#features/account/model/role.ts';
import { type Credentials, SignInForm, signInWithPassword } from '#features/account/sign-in-form.ts';
import { accounts } from '#lib/words/accounts.ts';
import { owesSecondFactor, signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { ownRole } from '#session/current-user.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';

export const AdminLogin = ({ notice }: { notice: string | null }) => (
  <main>
    <WorkSheet title="Admin Login">
      <SignInForm save={signIn} notice={notice} hints={loginHints} submitLabel="Sign In" busyLabel="Signing In..." />
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

async function signIn(credentials: Credentials) {
  await signInWithPassword(credentials);
  if (await owesSecondFactor()) return;
  // Without a setup key the server accepts this from admins only and records every other call as an attempt (GATE-13).
  if ((await ownRole().catch(() => null)) !== 'admin') return;
  await assignAdminRole(clients().data(), credentials.email).catch((refusal: Error) =>
    console.warn('Assigning the admin role failed:', refusal.message),
  );
}

export function loginHints(message: string) {
  if (/captcha/i.test(message))
    return (
      <ul className="work-list">
        <li>Turn off your VPN and try again.</li>
        <li>Try another browser.</li>
        <li>
          Use the advanced option below: <a href={href('/admin-login')}>Simple Admin Login</a>.
        </li>
      </ul>
    );
  if (message.includes(accounts.emailNotConfirmed))
    return (
      <ul className="work-list">
        <li>Open the confirmation link in your inbox first.</li>
        <li>
          Or use the <a href={href('/admin-login')}>Simple Admin Login</a> or{' '}
          <a href={href('/admin-setup')}>Admin Setup</a>.
        </li>
      </ul>
    );
  return null;
}
