import { href, Link } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { countText } from '../../../models/review/review.ts';
import { useCount } from './review-queries.ts';

/** How many submissions wait for an answer, and the way to them. It holds its line until that is known. */
export function WaitingReviews() {
  const { data: waiting } = useCount('waiting');
  return (
    <p
      className="review-note"
      data-unknown={waiting === undefined || undefined}
      data-waiting={waiting?.reviews ? true : undefined}
    >
      {waiting?.reviews ? (
        <>
          <strong className="amount">{countText(waiting)}</strong> {admin.waitForAnswer(waiting.reviews)}
        </>
      ) : (
        admin.noneWaits
      )}{' '}
      <Link to={href('/admin/review')}>{admin.reviewNow}</Link>
    </p>
  );
}
