import { useRouteLoaderData } from 'react-router';
import { useFacts } from '../../../context/use-facts.ts';
import { inbox } from '../../../copy/admin/contact-messages.ts';
import { type ReceivedMessage, replyLink } from '../../../models/office/contact-messages.ts';
import type { loader } from '../../../root.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { DayTime } from '../../../ui/time.tsx';

export function LetterRow({
  letter,
  busy,
  onMark,
  onDelete,
}: {
  letter: ReceivedMessage;
  busy: boolean;
  onMark: () => void;
  onDelete: () => void;
}) {
  const { agency } = useFacts();
  // A hosted project mails by other means, if at all, and does not report it here.
  const weMail = useRouteLoaderData<typeof loader>('root')?.supabase.own;
  const { name, email, message, handled, created_at, mailed_at } = letter;
  return (
    <li className="letter" data-handled={handled || undefined}>
      <header className="letter-head">
        <h2>{name}</h2>
        <span className={`badge ${handled ? 'badge-draft' : 'badge-active'}`}>
          {handled ? inbox.handled : inbox.fresh}
        </span>
        <p className="row-meta">
          {email}, <DayTime at={created_at} />
          {weMail && !mailed_at && `, ${inbox.notMailed.toLowerCase()}`}
        </p>
      </header>
      <p className="letter-text">{message}</p>
      <div className="button-row">
        <a
          className="button button-primary button-admin"
          href={replyLink(letter, agency.name)}
          aria-label={`${inbox.reply} to ${name}`}
        >
          {inbox.reply}
        </a>
        <Button variant="secondary" size="admin" busy={busy} onClick={onMark}>
          {handled ? inbox.markNew : inbox.markHandled}
        </Button>
        <Button
          variant="quiet"
          size="admin"
          className="icon-button icon-button-danger"
          aria-label={`Delete the message of ${name}`}
          onClick={onDelete}
        >
          <Icon name="trash" />
        </Button>
      </div>
    </li>
  );
}
