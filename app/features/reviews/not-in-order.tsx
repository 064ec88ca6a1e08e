import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import type { ContentCheck } from './model/content-checks.ts';
import { reviewWords as words } from './words/review.ts';

export const NotInOrder = ({
  titleId,
  checks,
  onCancel,
}: {
  titleId: string;
  checks: readonly ContentCheck[];
  onCancel: () => void;
}) => (
  <>
    <h2 className="dialog-title" id={titleId}>
      {words.gateTitle}
    </h2>
    <Banner kind="error">
      {words.gate}
      <ul className="review-open">
        {checks.map((check) => (
          <li key={check.id}>{check.words}</li>
        ))}
      </ul>
    </Banner>
    <div className="dialog-actions">
      <Button variant="secondary" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        onClick={() => {
          onCancel();
          // After the dialog has closed and returned the focus.
          requestAnimationFrame(() => {
            const list = document.getElementById('checklist');
            list?.focus();
            list?.scrollIntoView({ block: 'start' });
          });
        }}
      >
        {words.gateShow}
      </Button>
    </div>
  </>
);
