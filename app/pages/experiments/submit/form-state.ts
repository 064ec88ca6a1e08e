import { type CheckedField, emptySubmission, type Submission } from '../../../models/submission.ts';
import type { Outcome, Step } from '../../../models/submission-flow.ts';

/** Whether this device has a copy of what is written. */
export type Saved = 'nothing' | 'saving' | 'saved' | 'impossible' | 'elsewhere';

export interface FormState {
  phase: 'editing' | 'submitting' | 'submitted';
  submission: Submission;
  /** Sent fraction of files under way, by item id. */
  progress: Record<string, number>;
  /** Temporary addresses of chosen files, by item id. */
  previews: Record<string, string>;
  failure: { message: string; field: CheckedField | null } | null;
  /** Quiet lines about files that were not added. */
  notices: string[];
  step: Step | null;
  saved: Saved;
  /** A draft of an earlier visit was brought back: written, or already being sent. */
  returned: 'written' | 'sending' | null;
  outcome: (Outcome & { secret: string }) | null;
}

export const untouched: FormState = {
  phase: 'editing',
  submission: emptySubmission(),
  progress: {},
  previews: {},
  failure: null,
  notices: [],
  step: null,
  saved: 'nothing',
  returned: null,
  outcome: null,
};
