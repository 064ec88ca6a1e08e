import { useMemo } from 'react';
import { ContentChecks } from '#features/reviews/checks/content-checks.tsx';
import { contentChecks } from '#features/reviews/model/content-checks.ts';
import { contentWords as words } from '#features/reviews/words/content-checks.ts';
import { SmallButton } from '#ui/form/button.tsx';
import { nameOfItem, type Submission } from './model/submission.ts';
import type { useFormFocus } from './use-form-focus.ts';

export function ToImprove({ submission, focus }: { submission: Submission; focus: ReturnType<typeof useFormFocus> }) {
  const checks = useMemo(() => {
    const media = submission.media.map((item, place) => ({ ...item, name: nameOfItem(item, place) }));
    return contentChecks({ ...submission, media });
  }, [submission]);
  if (checks.length === 0) return null;
  return (
    <ContentChecks
      checks={checks}
      why="They help people who do not see the pictures, or who listen to the texts. You can submit without them."
      way={({ place, words: said }) => (
        <SmallButton
          aria-label={`${words.goThere}: ${said}`}
          onClick={() => ('media' in place ? focus.goToAlt(place.media) : focus.goToText(place))}
        >
          {words.goThere}
        </SmallButton>
      )}
    />
  );
}
