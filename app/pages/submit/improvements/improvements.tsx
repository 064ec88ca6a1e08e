import type { TextPlace } from '../../../models/review/content-checks.ts';
import { type Submission, TEXTS } from '../../../models/submission/submission.ts';
import { lazily } from '../../../ui/lazily.tsx';

const ToImprove = lazily(() => import('./to-improve.tsx').then((module) => module.ToImprove));

export const Improvements = (props: { submission: Submission; onText: (place: TextPlace) => void }) =>
  (props.submission.media.length > 0 || TEXTS.some((text) => props.submission[text] !== '')) && (
    <ToImprove {...props} />
  );
