import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { users as words } from '../../../copy/admin/users.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { useStatus } from '../shell/status.tsx';
import { useOrder } from './user-queries.ts';

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Asks for an address and sends an invitation there. */
export function InviteUser({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const order = useOrder();
  const { say } = useStatus();
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);

  function close() {
    form.current?.reset();
    setWrong(false);
    order.reset();
    onClose();
  }
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (order.isPending) return;
    const typed = new FormData(event.currentTarget);
    const email = String(typed.get('email')).trim();
    const fits = ADDRESS.test(email);
    setWrong(!fits);
    if (!fits) return event.currentTarget.querySelector<HTMLInputElement>('[name="email"]')?.focus();
    order.mutate(
      { action: 'invite', email, name: String(typed.get('name')).trim() },
      {
        onSuccess: () => {
          say(words.inviteDone(email));
          close();
        },
      },
    );
  }

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault();
        if (!order.isPending) close();
      }}
      onClose={() => open && close()}
    >
      <form ref={form} noValidate onSubmit={send}>
        <h2 className="dialog-title" id={`${id}-title`}>
          {words.inviteTitle}
        </h2>
        <p className="gap-above">{words.inviteText}</p>
        <div className="form-stack gap-above">
          <TextField
            label={words.inviteEmail}
            name="email"
            type="email"
            required
            autoComplete="off"
            maxLength={254}
            error={wrong ? words.inviteWrong : undefined}
            onChange={() => setWrong(false)}
          />
          <TextField
            label={words.inviteName}
            hint={words.inviteNameHint}
            name="name"
            autoComplete="off"
            maxLength={200}
          />
          {order.error && <Banner kind="error">{messageOf(order.error, words.failedToChange)}</Banner>}
        </div>
        <div className="dialog-actions">
          <Button variant="secondary" disabled={order.isPending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" busy={order.isPending} busyLabel={words.inviteSending}>
            {words.inviteSend}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
