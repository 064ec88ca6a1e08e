import { useState } from 'react';
import { href } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { isAccountEmail } from '#lib/data/email.ts';
import { callFunction } from '#lib/data/server-function.ts';
import { privatePage } from '#lib/page-headers.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { RedirectNotice } from '#ui/feedback/redirect-notice.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { helpWords, setupKey } from './words/setup.ts';

export const headers = () => privatePage;
export const meta = privateTags(helpWords.verifyTitle);

const VerifyForm = defineForm({
  fields: { email: { label: 'Email', kind: 'email', autoComplete: 'off', required: true }, key: setupKey },
  check: ({ email }) => ({ email: !isAccountEmail(email) && 'Please enter a valid email address' }),
  failed: 'Failed to verify user',
});

async function verify({ email, key }: { email: string; key: string }) {
  const answer = await callFunction(clients().functions, 'auto-verify', { email }, key || undefined);
  const fallback = answer.success === false ? 'Failed to verify email' : messages.unknownError;
  if (!answer.success) throw new Error(answer.error || fallback);
}

export default function VerifyUser() {
  const [done, setDone] = useState(false);
  return (
    <WorkSheet title={helpWords.verifyTitle}>
      {done ? (
        <RedirectNotice message="User Verified Successfully!" />
      ) : (
        <VerifyForm save={verify} onSaved={() => setDone(true)} submitLabel="Verify Email" busyLabel="Verifying...">
          <p>Confirms the address of an account whose email never arrived.</p>
        </VerifyForm>
      )}
      <div className="work-links">
        <a href={href('/admin')}>Back to Admin</a>
      </div>
    </WorkSheet>
  );
}
