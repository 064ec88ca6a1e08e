import { href, Link } from 'react-router';
import { inbox } from '../../../copy/admin/contact-messages.ts';
import { useUnhandled } from './message-queries.ts';

export function MessagesNote() {
  const { data: waiting } = useUnhandled();
  return (
    <p
      className="review-note"
      data-unknown={waiting === undefined || undefined}
      data-waiting={waiting ? true : undefined}
    >
      {waiting ? (
        <>
          <Link to={href('/admin/messages')}>{inbox.title}</Link>: {inbox.waiting(waiting)}
        </>
      ) : (
        inbox.noneWaiting
      )}
    </p>
  );
}
