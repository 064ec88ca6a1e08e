import type { UploadsAhead } from '#features/media/model/allowance.ts';
import type { Draft, StoredDraft } from './draft-store.ts';
import type { Outcome } from './outcome.ts';
import type { Step } from './send.ts';
import { type CheckedField, isSameContent, type Submission, type SubmissionProblem, sourcesIn } from './submission.ts';

export const MAX_INTERRUPTIONS = 3;

export interface SubmissionFailure extends Omit<SubmissionProblem, 'field'> {
  field: CheckedField | null;
  attempt: number;
}

export type NetworkState = 'offline' | 'unreachable';

export const networkState = (): NetworkState => (navigator.onLine ? 'unreachable' : 'offline');

export interface SubmissionState {
  /** `waiting`: sent when the network is back. */
  phase: 'editing' | 'waiting' | 'submitting' | 'submitted';
  submission: Submission;
  /** The content before any input: empty, or the draft on the server. */
  initial: Submission;
  /** Proves ownership of the draft on the server and makes sending idempotent. */
  secret: string;
  /** This secret may have been used for sending before. */
  mayBeOnServer: boolean;
  user: string | null | undefined;
  author: string | null;
  asGuest: boolean;
  progress: Record<string, number>;
  /** The chosen files by the id of their media item or poster. */
  files: ReadonlyMap<string, File>;
  ahead: UploadsAhead | null;
  notices: string[];
  failure: SubmissionFailure | null;
  attempts: number;
  step: Step | null;
  /** Reason for waiting. `limit`: the upload quota is used up. */
  waitingFor: NetworkState | 'limit' | null;
  interruptions: number;
  isPostponed: boolean;
  outcome: (Outcome & { secret: string }) | null;
  saved: 'nothing' | 'saving' | 'saved' | 'impossible';
  unsavedFiles: string[];
  /** False when the browser has no Web Locks, so that drafts of open tabs are offered as well. */
  hasLocks: boolean;
  /** Another tab was editing a draft when this form was opened. */
  isOpenElsewhere: boolean;
  freeDrafts: StoredDraft[];
  restored: 'written' | 'sending' | null;
}

export const initialState = (initial: Submission, secret: string): SubmissionState => ({
  phase: 'editing',
  submission: initial,
  initial,
  secret,
  mayBeOnServer: false,
  user: undefined,
  author: null,
  asGuest: false,
  progress: {},
  files: new Map(),
  ahead: null,
  notices: [],
  failure: null,
  attempts: 0,
  step: null,
  waitingFor: null,
  interruptions: 0,
  isPostponed: false,
  outcome: null,
  saved: 'nothing',
  unsavedFiles: [],
  hasLocks: true,
  isOpenElsewhere: false,
  freeDrafts: [],
  restored: null,
});

export const isUntouched = ({ submission, initial }: SubmissionState): boolean => isSameContent(submission, initial);

export const isSignedOut = ({ user, author }: SubmissionState): boolean => user === null && author !== null;

/** Names of the files that would be lost with the page: stored neither on the device nor on the server. */
export const unsavedFileNames = ({ submission, unsavedFiles }: SubmissionState): string[] =>
  sourcesIn(submission.media).flatMap(({ id, url, file }) =>
    file && url === '' && unsavedFiles.includes(id) ? [file.name] : [],
  );

export const needsNetwork = ({ phase, submission }: SubmissionState): boolean =>
  phase === 'waiting' || sourcesIn(submission.media).some(({ file }) => file?.failure?.lost);

export function statusOf({ phase, waitingFor }: SubmissionState): Draft['status'] {
  if (phase === 'waiting' || (phase === 'submitting' && waitingFor)) return 'queued';
  // A sent submission is stored only while it is incomplete.
  return phase === 'editing' ? 'editing' : 'sending';
}

export const toDraft = (state: SubmissionState): Draft => ({
  secret: state.secret,
  submission: state.submission,
  status: statusOf(state),
  account: state.author,
  savedAt: Date.now(),
});
