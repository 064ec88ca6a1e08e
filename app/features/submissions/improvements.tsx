import { lazily } from '#ui/lazily.tsx';
import { type Submission, TEXTS } from './model/submission.ts';
import type { useFormFocus } from './use-form-focus.ts';

const ToImprove = lazily(() => import('./to-improve.tsx').then((module) => module.ToImprove));

export const Improvements = (props: { submission: Submission; focus: ReturnType<typeof useFormFocus> }) =>
  (props.submission.media.length > 0 || TEXTS.some((text) => props.submission[text] !== '')) && (
    <ToImprove {...props} />
  );
