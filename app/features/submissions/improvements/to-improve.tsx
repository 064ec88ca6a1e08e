import { useMemo } from 'react';
import { ContentChecks } from '#features/reviews/checks/content-checks.tsx';
import { type ContentCheck, contentChecks, type TextPlace } from '#features/reviews/model/content-checks.ts';
import { contentWords as words } from '#features/reviews/words/content-checks.ts';
import { Button } from '#ui/form/button.tsx';
import { nameOfItem, type Submission } from '../model/submission.ts';
import { altId } from '../sections/media-tile.tsx';

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
