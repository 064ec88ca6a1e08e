import type { Draft } from '#features/drafts/model/draft.ts';
import type { UploadsAhead } from '#features/media/model/allowance.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Step } from '../model/send.ts';
import { type CheckedField, emptySubmission, locatedIn, type Submission } from '../model/submission.ts';

export type Saved = 'nothing' | 'saving' | 'saved' | 'impossible';

export interface KeptDraft {
  tab: string;
  draft: Draft;
}

export interface FormFailure {
  message: string;
  field: CheckedField | null;
  item?: string | undefined;
  /** Distinguishes attempts that failed for the same reason. */
  attempt: number;
}

export interface FormState {
  /** `waiting`: to be sent when the network is back. */
  phase: 'editing' | 'waiting' | 'submitting' | 'submitted';
  submission: Submission;
  progress: Record<string, number>;
  previews: Record<string, string>;
  failure: FormFailure | null;
  notices: string[];
  step: Step | null;
  saved: Saved;
  unkept: string[];
  /** `unknown`: the browser has no Web Locks. */
  tab: 'here' | 'elsewhere' | 'unknown';
  arrival: 'closed' | 'taken' | 'joined' | 'sentElsewhere' | null;
  kept: KeptDraft[];
  returned: 'written' | 'sending' | null;
  /** Why sending waits or had to wait. `limit`: the upload quota is used up. */
  line: 'offline' | 'unreachable' | 'limit' | null;
  ahead: UploadsAhead | null;
  later: boolean;
  outcome: (Outcome & { secret: string }) | null;
  secret: string;
  /** This secret may have been used for sending before. */
  sentBefore: boolean;
  /** The state at which another tab continued. */
  parted: Submission | null;
  account: string | null;
  signedOut: boolean;
  asGuest: boolean;
}

export const heldOf = ({
  secret,
  submission,
  phase,
  line,
  parted,
  account,
}: FormState): Omit<Draft, 'savedAt' | 'aside'> => ({
  secret,
  submission,
  sending: phase === 'submitting',
  wanted: phase === 'waiting' || (phase === 'submitting' && line !== null),
  parted,
  account,
});

/** Files that would be lost with the page: stored neither on the device nor on the server. */
export const unkeptOf = ({ submission, unkept }: FormState): string[] =>
  locatedIn(submission.media).flatMap(({ id, url, file }) =>
    file && url === '' && unkept.includes(id) ? [file.name] : [],
  );

export const untouched: FormState = {
  phase: 'editing',
  submission: emptySubmission(),
  progress: {},
  previews: {},
  failure: null,
  notices: [],
  step: null,
  saved: 'nothing',
  unkept: [],
  tab: 'here',
  arrival: null,
  kept: [],
  returned: null,
  line: null,
  ahead: null,
  later: false,
  outcome: null,
  secret: '',
  sentBefore: false,
  parted: null,
  account: null,
  signedOut: false,
  asGuest: false,
};
