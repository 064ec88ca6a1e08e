import { Link } from 'react-router';
import { admin } from '../../copy/admin.ts';
import { useWaitingReviews } from './review/review-queries.ts';

/** How many submissions wait for an answer, and the way to them; nothing while none does. */
export function ReviewNote() {
  const { data: waiting = 0 } = useWaitingReviews();
  if (waiting === 0) return null;
  return (
    <p className="review-note">
      <strong className="amount">{waiting}</strong> {admin.waitForAnswer(waiting)}{' '}
      <Link to="/admin/review">{admin.reviewNow}</Link>
    </p>
  );
}
