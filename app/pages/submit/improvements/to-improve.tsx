import { useMemo } from 'react';
import { contentWords as words } from '../../../copy/content-checks.ts';
import { type ContentCheck, contentChecks, type TextPlace } from '../../../models/review/content-checks.ts';
import { nameOfItem, type Submission } from '../../../models/submission/submission.ts';
import { Button } from '../../../ui/form/button.tsx';
import { ContentChecks } from '../../experiments/checks/content-checks.tsx';
import { altId } from '../media-tile.tsx';

export function ToImprove({ submission, onText }: { submission: Submission; onText: (place: TextPlace) => void }) {
  const checks = useMemo(
    () =>
      contentChecks({
        ...submission,
        media: submission.media.map((item, place) => ({ ...item, name: nameOfItem(item, place) })),
      }),
    [submission],
  );
  if (checks.length === 0) return null;
  // A new object each time, so that a second click works.
  const go = ({ place }: ContentCheck) => ('media' in place ? goToAlt(place.media) : onText({ ...place }));
  return (
    <ContentChecks
      checks={checks}
      why={words.forSubmitter}
      way={(check) => (
        <Button
          variant="secondary"
          size="admin"
          aria-label={`${words.goThere}: ${check.words}`}
          onClick={() => go(check)}
        >
          {words.goThere}
        </Button>
      )}
    />
  );
}

function goToAlt(id: string) {
  const field = document.getElementById(altId(id));
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
