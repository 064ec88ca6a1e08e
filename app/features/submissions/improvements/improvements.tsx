import type { TextPlace } from '#features/reviews/model/content-checks.ts';
import { lazily } from '#ui/lazily.tsx';
import { type Submission, TEXTS } from '../model/submission.ts';

const ToImprove = lazily(() => import('./to-improve.tsx').then((module) => module.ToImprove));

export const Improvements = (props: { submission: Submission; onText: (place: TextPlace) => void }) =>
  (props.submission.media.length > 0 || TEXTS.some((text) => props.submission[text] !== '')) && (
    <ToImprove {...props} />
  );
