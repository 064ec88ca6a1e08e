import { href, Link } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { countText } from '../../../models/review/review.ts';
import { useCount } from './review-queries.ts';

/** How many submissions are waiting for review, with a link to them. Reserves its line until that is known. */
export function WaitingReviews() {
  const { data: waiting } = useCount('waiting');
  const some = waiting !== undefined && waiting.reviews > 0;
  return (
    <p className="review-note" data-unknown={waiting === undefined || undefined} data-waiting={some || undefined}>
      {some ? (
        <>
          <strong className="amount">{countText(waiting)}</strong> {admin.waitForAnswer(waiting.reviews)}{' '}
          <Link to={href('/admin/review')}>{admin.reviewNow}</Link>
        </>
      ) : (
        admin.noneWaits
      )}
    </p>
  );
}
