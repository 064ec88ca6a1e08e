import type { UploadsAhead } from '#features/media/model/allowance.ts';
import type { Draft, StoredDraft } from './draft-store.ts';
import type { Outcome } from './outcome.ts';
import { type CheckedField, isSameContent, type Submission, type SubmissionProblem, sourcesIn } from './submission.ts';

export const MAX_INTERRUPTIONS = 3;

export type SubmissionFailure = Omit<SubmissionProblem, 'field'> & { field: CheckedField | null; attempt: number };

export type NetworkState = 'offline' | 'unreachable';

export const networkState = (): NetworkState => (navigator.onLine ? 'unreachable' : 'offline');

export type SubmissionState = ReturnType<typeof initialState>;

export const initialState = (initial: Submission, secret: string) => ({
  /** `waiting`: sent when the network is back. */
  phase: 'editing' as 'editing' | 'waiting' | 'submitting' | 'submitted',
  submission: initial,
  /** The content before any input: empty, or the draft on the server. */
  initial,
  /** Proves ownership of the draft on the server and makes sending idempotent. */
  secret,
  /** This secret may have been used for sending before. */
  mayBeOnServer: false,
  user: undefined as Draft['account'] | undefined,
  author: null as Draft['account'],
  asGuest: false,
  progress: {} as Record<string, number>,
  /** The chosen files by the id of their media item or poster. */
  files: new Map() as ReadonlyMap<string, File>,
  ahead: null as UploadsAhead | null,
  notices: [] as string[],
  failure: null as SubmissionFailure | null,
  attempts: 0,
  step: null as string | null,
  /** Reason for waiting. `limit`: the upload quota is used up. */
  waitingFor: null as NetworkState | 'limit' | null,
  interruptions: 0,
  isPostponed: false,
  outcome: null as (Outcome & { secret: string }) | null,
  saved: 'nothing' as 'nothing' | 'saving' | 'saved' | 'impossible',
  unsavedFiles: [] as string[],
  /** False when the browser has no Web Locks, so that drafts of open tabs are offered as well. */
  hasLocks: true,
  /** Another tab was editing a draft when this form was opened. */
  isOpenElsewhere: false,
  freeDrafts: [] as StoredDraft[],
  restored: null as 'written' | 'sending' | null,
});

export const isUntouched = ({ submission, initial }: SubmissionState): boolean => isSameContent(submission, initial);

export const isSignedOut = ({ user, author }: SubmissionState): boolean => user === null && author !== null;

/** Names of the files that would be lost with the page: stored neither on the device nor on the server. */
export const unsavedFileNames = ({ submission, unsavedFiles }: SubmissionState): string[] =>
  sourcesIn(submission.media).flatMap(({ id, url, file }) =>
    file && url === '' && unsavedFiles.includes(id) ? [file.name] : [],
  );

/** Whether closing the page loses something that is not stored on this device. */
export const mustStayOpen = (state: SubmissionState): boolean =>
  state.saved === 'impossible' || unsavedFileNames(state).length > 0;

export const needsNetwork = ({ phase, submission }: SubmissionState): boolean =>
  phase === 'waiting' || sourcesIn(submission.media).some(({ file }) => file?.failure?.lost);

export function statusOf({ phase, waitingFor, restored }: SubmissionState): Draft['status'] {
  if (phase === 'waiting' || (phase === 'submitting' && waitingFor)) return 'queued';
  if (restored === 'sending') return restored;
  // A sent submission is stored only while it is incomplete.
  return phase === 'editing' ? 'editing' : 'sending';
}

export function toDraft(state: SubmissionState): Draft {
  const { secret, submission, author, mayBeOnServer } = state;
  return { secret, submission, status: statusOf(state), mayBeOnServer, account: author, savedAt: Date.now() };
}
