import { href } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { isAccountEmail } from '#lib/data/email.ts';
import { callFunction } from '#lib/data/server-function.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { privatePage } from '#session/private-page.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { RedirectNotice } from '#ui/feedback/redirect-notice.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { requireFields, textIn, useSubmit } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/verify-user';
import { SetupKeyField, setupKeyIn } from './setup-key-field.tsx';
import { help, SETUP_REDIRECT } from './words/setup.ts';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: help.verifyTitle, noindex: true });

export default function VerifyUser() {
  const { busy, done, failure, wrong, submit } = useSubmit(help.failedToVerifyUser);

  async function verify(typed: FormData) {
    const email = textIn(typed, 'email');
    requireFields({ email: !isAccountEmail(email) && help.invalidEmail });
    const answer = await callFunction(clients().functions, 'auto-verify', { email }, setupKeyIn(typed));
    // The response has an unexpected format.
    const silent = answer.success === false ? help.failedToVerifyEmail : messages.unknownError;
    if (!answer.success) throw new Error(answer.error || silent);
  }

  return (
    <WorkSheet title={help.verifyTitle}>
      {done ? (
        <RedirectNotice message={done} to={href('/admin')} after={SETUP_REDIRECT} label="Open the admin area" />
      ) : (
        <form className="form-stack" method="post" onSubmit={submit(verify, help.verified)} noValidate>
          {failure && <Banner kind="error">{failure}</Banner>}
          <p>Confirms the address of an account whose mail never arrived.</p>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            error={wrong['email']}
            required
          />
          <SetupKeyField />
          <SubmitButton busy={busy} busyLabel="Verifying...">
            Verify Email
          </SubmitButton>
        </form>
      )}
      <div className="work-links">
        <a href={href('/admin')}>Back to Admin</a>
      </div>
    </WorkSheet>
  );
}
