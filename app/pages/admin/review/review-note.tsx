import { href, Link } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { countText } from '../../../models/review/review.ts';
import { useCount } from './review-queries.ts';

export function WaitingReviews() {
  const { data } = useCount('waiting');
  const waiting = data ?? { reviews: 0, exact: true };
  const none = data?.reviews === 0;
  return (
    <p
      className="review-note"
      data-unknown={data === undefined || undefined}
      data-waiting={waiting.reviews > 0 || undefined}
    >
      {none ? (
        admin.noneWaits
      ) : (
        <>
          <strong className="amount">{countText(waiting)}</strong> {admin.waitForAnswer(waiting.reviews)}{' '}
          <Link to={href('/admin/review')}>{admin.reviewNow}</Link>
        </>
      )}
    </p>
  );
}
