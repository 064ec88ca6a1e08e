import { useId, useState } from 'react';
import { isEmail, MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { useInviteUser, useMailCode } from './user-queries.ts';
import { users as words } from './words.ts';

const InviteForm = defineForm({
  fields: {
    email: {
      label: words.inviteEmail,
      kind: 'email',
      required: true,
      autoComplete: 'off',
      maxLength: MAX_EMAIL_LENGTH,
    },
    name: { label: words.inviteName, hint: words.inviteNameHint, autoComplete: 'off', maxLength: MAX_LINE_LENGTH },
  },
  check: ({ email }) => ({ email: !isEmail(email) && words.inviteWrong }),
  failed: words.failedToChange,
});

export function InviteUser({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId();
  const invitation = useInviteUser();
  const mail = useMailCode(open);
  const { say } = useStatus();
  const [busy, setBusy] = useState(false);

  async function invite({ email, name }: { email: string; name: string }) {
    setBusy(true);
    try {
      await invitation.mutateAsync({ email, name });
      return (await mail.find()) === 'outbox' ? words.inviteSaved(email) : words.inviteDone(email);
    } finally {
      setBusy(false);
    }
  }
  function invited(sentence: string) {
    say(sentence);
    onClose();
  }

  return (
    <Dialog open={open} busy={busy} aria-labelledby={`${id}-title`} onCancel={onClose}>
      {open && (
        <InviteForm
          inDialog
          save={invite}
          onSaved={invited}
          onCancel={onClose}
          submitLabel={words.inviteSend}
          busyLabel={words.inviteSending}
        >
          {(field, failure) => (
            <>
              <h2 className="size-1" id={`${id}-title`}>
                {words.inviteTitle}
              </h2>
              <p className="gap-above">{words.inviteText}</p>
              <div className="form-stack gap-above">
                {mail.known === 'outbox' && <Banner kind="warning">{words.inviteNoMail}</Banner>}
                {mail.known === 'away' && <Banner kind="warning">{words.inviteMailAway}</Banner>}
                {field('email')}
                {field('name')}
                {failure}
              </div>
            </>
          )}
        </InviteForm>
      )}
    </Dialog>
  );
}
