import { href, Link } from 'react-router';
import { inbox } from '../../../copy/admin/contact-messages.ts';
import { useUnhandled } from './message-queries.ts';

/** The way to the messages, and how many nobody has handled. */
export function MessagesNote() {
  const { data: waiting } = useUnhandled();
  return (
    <p className="review-note" data-waiting={waiting ? true : undefined}>
      <Link to={href('/admin/messages')}>{inbox.title}</Link>
      {waiting !== undefined && `: ${inbox.waiting(waiting)}`}
    </p>
  );
}
