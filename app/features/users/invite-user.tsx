import { useState } from 'react';
import { isEmail, MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import type { Invitation } from './model/users.ts';
import { useInviteUser, useMailCode } from './user-queries.ts';
import { users as words } from './words.ts';

const InviteForm = defineForm({
  fields: {
    email: {
      label: 'Email',
      kind: 'email',
      required: true,
      autoComplete: 'off',
      maxLength: MAX_EMAIL_LENGTH,
    },
    name: { label: 'Name', hint: 'If you know it.', autoComplete: 'off', maxLength: MAX_LINE_LENGTH },
    role: {
      label: 'Role',
      kind: 'select',
      hint: 'Editors work with projects, reviews, pages, media and messages. Admins see and change everything.',
      options: { none: 'None', editor: 'Editor', admin: 'Admin' },
    },
  },
  check: ({ email }) => ({ email: !isEmail(email) && 'Please enter a valid email address' }),
  failed: words.failedToChange,
});

export function InviteUser({ open, onClose }: { open: boolean; onClose: () => void }) {
  const invitation = useInviteUser();
  const mail = useMailCode(open);
  const { say } = useStatus();
  const [busy, setBusy] = useState(false);

  async function invite({ email, name, role }: Record<'email' | 'name' | 'role', string>) {
    setBusy(true);
    try {
      await invitation.mutateAsync({ email, name, role: role as Invitation['role'] });
      return (await mail.find()) === 'outbox'
        ? `The invitation for ${email} is in the outbox. No email was sent.`
        : `${email} is invited.`;
    } finally {
      setBusy(false);
    }
  }
  function invited(sentence: string) {
    say(sentence);
    onClose();
  }

  return (
    <Dialog open={open} title="Invite a user" busy={busy} onCancel={onClose}>
      <InviteForm
        inDialog
        save={invite}
        onSaved={invited}
        onCancel={onClose}
        submitLabel="Send invitation"
        busyLabel="Sending..."
      >
        {(field, failure) => (
          <>
            <p className="gap-above">They get an email with a link to choose a password.</p>
            <div className="form-stack gap-above">
              {mail.known === 'outbox' && (
                <Banner kind="warning">
                  Mail isn’t configured: invitations are saved to the outbox on the server and reach no one. The person
                  who runs the server can pass on the link from there.
                </Banner>
              )}
              {mail.known === 'away' && (
                <Banner kind="warning">The mail server isn’t responding. Invitations are sent once it does.</Banner>
              )}
              {field('email')}
              {field('name')}
              {field('role')}
              {failure}
            </div>
          </>
        )}
      </InviteForm>
    </Dialog>
  );
}
