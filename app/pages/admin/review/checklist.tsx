import { Link } from 'react-router';
import { reviewWords as words } from '../../../copy/review.ts';
import { messageOf } from '../../../models/api-error.ts';
import type { Experiment } from '../../../models/experiment.ts';
import type { Review } from '../../../models/review.ts';
import { checklistOf } from '../../../models/review-checklist.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useTick } from './review-queries.ts';

/** What has to be right before it is published. What can be computed is; the rest is ticked. */
export function Checklist({ experiment, review }: { experiment: Experiment; review: Review }) {
  const ticking = useTick(experiment.id);
  return (
    <section aria-labelledby="checklist">
      <h3 id="checklist">Checklist</h3>
      {ticking.error && <Banner kind="error">{messageOf(ticking.error, words.failedToSave)}</Banner>}
      <ul className="review-checklist">
        {checklistOf(experiment, review).map(({ id, label, done, byHand }) => (
          <li key={id}>
            {byHand ? (
              <label>
                <input
                  type="checkbox"
                  checked={done}
                  onChange={({ target }) =>
                    ticking.mutate(
                      id === 'rights' ? { rights_cleared: target.checked } : { client_agreed: target.checked },
                    )
                  }
                />
                {label}
              </label>
            ) : (
              <p data-done={done || undefined}>
                <Icon name={done ? 'check' : 'warning'} /> {label}
                {!done && (
                  <>
                    {'. '}
                    <Link to={`/admin/projects/${experiment.id}/edit#media`}>Mend it</Link>
                  </>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
