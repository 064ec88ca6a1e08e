import { useId, useRef } from 'react';
import { isEmail, MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { LONGEST_LINE } from '#lib/data/limits.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { requireFields, textIn, useSubmit } from '#ui/form/use-submit.ts';
import { useMailCode, useUserOrder } from './user-queries.ts';
import { users as words } from './words.ts';

export function InviteUser({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const order = useUserOrder();
  const mail = useMailCode(open);
  const { say } = useStatus();
  const { busy, failure, wrong, settle, submit, reset } = useSubmit(words.failedToChange);

  function close() {
    form.current?.reset();
    reset();
    onClose();
  }
  async function invite(typed: FormData) {
    const email = textIn(typed, 'email');
    requireFields({ email: !isEmail(email) && words.inviteWrong });
    await order.mutateAsync({ action: 'invite', email, name: textIn(typed, 'name') });
    return (await mail.find()) === 'outbox' ? words.inviteSaved(email) : words.inviteDone(email);
  }
  function invited(sentence: string) {
    say(sentence);
    close();
  }

  return (
    <Dialog open={open} busy={busy} aria-labelledby={`${id}-title`} onCancel={close}>
      <form ref={form} noValidate onSubmit={submit(invite, invited)}>
        <h2 className="dialog-title" id={`${id}-title`}>
          {words.inviteTitle}
        </h2>
        <p className="gap-above">{words.inviteText}</p>
        <div className="form-stack gap-above">
          {mail.known === 'outbox' && <Banner kind="warning">{words.inviteNoMail}</Banner>}
          {mail.known === 'away' && <Banner kind="warning">{words.inviteMailAway}</Banner>}
          <TextField
            label={words.inviteEmail}
            name="email"
            type="email"
            required
            autoComplete="off"
            maxLength={MAX_EMAIL_LENGTH}
            error={wrong['email']}
            onChange={() => settle('email')}
          />
          <TextField
            label={words.inviteName}
            hint={words.inviteNameHint}
            name="name"
            autoComplete="off"
            maxLength={LONGEST_LINE}
          />
          {failure && <Banner kind="error">{failure}</Banner>}
        </div>
        <div className="dialog-actions">
          <Button variant="secondary" disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyLabel={words.inviteSending}>
            {words.inviteSend}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
