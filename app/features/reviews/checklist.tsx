import type { RefObject } from 'react';
import type { Project } from '#features/projects/model/read.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { ContentToImprove } from './content-to-improve.tsx';
import { checklistOf } from './model/checklist.ts';
import type { Review } from './model/review.ts';
import { useTick } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

export function Checklist({
  ref,
  experiment,
  review,
}: {
  /** Of its heading. */
  ref: RefObject<HTMLHeadingElement | null>;
  experiment: Project;
  review: Review;
}) {
  const ticking = useTick(experiment.id);
  return (
    <section aria-labelledby="checklist">
      <h3 id="checklist" ref={ref} tabIndex={-1}>
        Checklist
      </h3>
      {ticking.error && <Banner kind="error">{messageOf(ticking.error, words.failedToSave)}</Banner>}
      <ul className="review-checklist">
        {checklistOf(experiment, review).map(({ id, label, done }) => (
          <li key={id}>
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
          </li>
        ))}
      </ul>
      <ContentToImprove experiment={experiment} checklist={ref} />
    </section>
  );
}
