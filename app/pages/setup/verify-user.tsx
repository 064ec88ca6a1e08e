import { type FormEvent, useState } from 'react';
import { help, SETUP_REDIRECT } from '../../copy/admin/setup.ts';
import { messages } from '../../copy/messages.ts';
import { messageOf } from '../../models/data/api-error.ts';
import { callFunction } from '../../models/data/server-function.ts';
import { pageTags } from '../../models/seo/page-meta.ts';
import { clients } from '../../session/browser.ts';
import { privatePage } from '../../session/private-page.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { RedirectNotice } from '../../ui/feedback/redirect-notice.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { WorkSheet } from '../../ui/work-sheet.tsx';
import type { Route } from './+types/verify-user';
import { SetupKeyField, setupKeyIn } from './setup-key-field.tsx';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: help.verifyTitle, noindex: true });

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Confirms an address without a mail: for admins, and for the holder of the setup key. */
export default function VerifyUser() {
  const [state, setState] = useState<'ready' | 'busy' | 'done'>('ready');
  const [wrong, setWrong] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function verify(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const email = String(fields.get('email')).trim();
    const invalid = EMAIL.test(email) ? null : help.invalidEmail;
    setWrong(invalid);
    setFailure(null);
    if (invalid) {
      form.querySelector<HTMLElement>('[name="email"]')?.focus();
      return;
    }
    setState('busy');
    try {
      const answer = await callFunction(clients().functions, 'auto-verify', { email }, setupKeyIn(fields));
      // Neither yes nor no is nobody's answer of ours.
      const silent = answer.success === false ? help.failedToVerifyEmail : messages.unknownError;
      if (!answer.success) setFailure(answer.error || silent);
      setState(answer.success ? 'done' : 'ready');
    } catch (error) {
      setFailure(messageOf(error, help.failedToVerifyUser));
      setState('ready');
    }
  }

  return (
    <WorkSheet title={help.verifyTitle}>
      {state === 'done' ? (
        <RedirectNotice message={help.verified} to="/admin" after={SETUP_REDIRECT} label="Open the admin area" />
      ) : (
        <form className="form-stack" method="post" onSubmit={verify} noValidate>
          {failure && <Banner kind="error">{failure}</Banner>}
          <p>Confirms the address of an account whose mail never arrived.</p>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            error={wrong}
            required
          />
          <SetupKeyField />
          <SubmitButton busy={state === 'busy'} busyLabel="Verifying...">
            Verify Email
          </SubmitButton>
        </form>
      )}
      <div className="work-links">
        <a href="/admin">Back to Admin</a>
      </div>
    </WorkSheet>
  );
}
