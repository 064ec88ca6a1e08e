import type { UploadsAhead } from '#features/media/model/allowance.ts';
import { type Draft, isExpired, requeued } from './draft-store.ts';
import type { Outcome } from './outcome.ts';
import {
  type ChosenFile,
  type MediaDescription,
  type MediaItem,
  type MediaSource,
  problemWith,
  type Submission,
  sourcesIn,
} from './submission.ts';
import {
  initialState,
  isSignedOut,
  type NetworkState,
  type SubmissionFailure,
  type SubmissionState,
} from './submission-state.ts';

const EDITING = { phase: 'editing', step: null, waitingFor: null } as const;
const SENDING = { phase: 'submitting', failure: null, restored: null, isPostponed: false } as const;
const WAITING = { phase: 'waiting', step: null } as const;

const hasId = (id: string) => (source: MediaSource) => source.id === id;
const isLostUpload = ({ file }: MediaSource) => file?.failure?.lost;

type Independent = Omit<SubmissionState, 'submission' | 'files' | 'failure' | 'attempts' | 'user' | 'author'>;

/** The next state by the type of an event, which carries the other properties. */
const transitions = {
  changed: (state, { change }: { change: Partial<Submission> }) => withContent(state, change),
  mediaAdded: (state, { item }: { item: MediaItem }) => withMedia(state, (media) => [...media, item]),
  mediaRemoved: (state, item: { id: string }) => withMedia(state, (media) => media.filter(({ id }) => id !== item.id)),
  mediaDescribed: (state, { id, part }: { id: string; part: MediaDescription }) =>
    withMedia(state, (media) => media.map((one) => (one.id === id ? { ...one, ...part } : one))),
  mediaSorted: (state, { ids }: { ids: readonly string[] }) =>
    withMedia(state, (media) => media.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))),
  coverChosen: (state, { id }: { id: string | null }) =>
    withMedia(state, (media) => media.map((one) => ({ ...one, isCover: one.id === id }))),
  fileChosen(state, { id, file }: { id: string; file: File }) {
    return { ...state, files: new Map(state.files).set(id, file) };
  },
  uploadProgressed(state, { id, fraction }: { id: string; fraction: number }) {
    return { ...state, progress: { ...state.progress, [id]: fraction } };
  },
  uploaded(state, { id, url, at }: { id: string; url: string; at: number }) {
    const done = (file: ChosenFile) => ({ url, isUploading: false, file: { ...file, uploadedAt: at, failure: null } });
    return withUpload({ ...state, interruptions: 0 }, hasId(id), done);
  },
  uploadFailed: (state, { id, failure }: { id: string; failure: NonNullable<ChosenFile['failure']> }) =>
    withUpload(state, hasId(id), (file) => ({ isUploading: false, file: { ...file, failure } })),
  uploadRetried: (state, { id }: { id: string }) => withUpload(state, hasId(id), requeued),
  uploadsRequeued(state) {
    const canRepeat = ({ id, url, file }: MediaSource) =>
      state.files.has(id) && (url ? isExpired(file!) : file!.failure?.final === false);
    return withUpload(state, canRepeat, requeued);
  },
  uploadsAheadChanged: (state, { ahead }: { ahead: UploadsAhead }) => withLimit({ ...state, ahead }),
  sendStarted(state) {
    const interruptions = state.phase === 'editing' ? 0 : state.interruptions;
    return withLimit({ ...state, ...SENDING, interruptions });
  },
  networkLost: (state, { network }: { network: NetworkState }) => ({ ...state, ...WAITING, waitingFor: network }),
  networkChecked: (state, { network }: { network: NetworkState | 'reached' }) =>
    network === 'reached'
      ? withUpload({ ...state, interruptions: state.interruptions + 1 }, isLostUpload, requeued)
      : { ...state, interruptions: 0, waitingFor: state.phase === 'waiting' ? network : state.waitingFor },
  sendFailed: (state, { failure }: { failure: Omit<SubmissionFailure, 'attempt'> }) => ({
    ...state,
    ...EDITING,
    restored: null,
    attempts: state.attempts + 1,
    failure: { ...failure, attempt: state.attempts + 1 },
  }),
  sendPostponed: (state) => ({ ...state, ...EDITING, isPostponed: true, mayBeOnServer: true }),
  sent(state, { outcome }: { outcome: Outcome }) {
    return { ...state, ...EDITING, phase: 'submitted', outcome: { ...outcome, secret: state.secret } };
  },
  renewed(state, { secret, ids }: { secret: string; ids: ReadonlyMap<string, string> }) {
    const renew = (id: string) => ids.get(id) ?? id;
    const files = new Map([...state.files].map(([id, file]) => [renew(id), file]));
    return withMedia({ ...state, secret, files }, (media) => media.map((one) => ({ ...one, id: renew(one.id) })));
  },
  startedOver(state, { secret }: { secret: string }) {
    const { saved, hasLocks, freeDrafts, user, attempts, initial } = state;
    return { ...initialState(initial, secret), saved, hasLocks, freeDrafts, user, attempts, author: user ?? null };
  },
  userChanged(state, { user }: { user: Draft['account'] }) {
    const signedIn = { ...state, user, author: user ?? state.author };
    if (isSignedOut(signedIn)) return signedIn;
    return { ...signedIn, asGuest: false, failure: isSignedOut(state) ? null : state.failure };
  },
  fileNotSaved: (state, { id }: { id: string }) => ({ ...state, unsavedFiles: [...state.unsavedFiles, id] }),
  restored: withRestored,
  set(state, { part }: { part: Partial<Independent> }) {
    const isChanged = Object.entries(part).some(([name, value]) => state[name as keyof Independent] !== value);
    return isChanged ? { ...state, ...part } : state;
  },
} satisfies Record<string, (state: SubmissionState, event: never) => SubmissionState>;

type Transitions = typeof transitions;
export type SubmissionEvent = {
  [Type in keyof Transitions]: { type: Type } & (Parameters<Transitions[Type]> extends [unknown, infer Event]
    ? Event
    : object);
}[keyof Transitions];

export const reduce = (state: SubmissionState, event: SubmissionEvent): SubmissionState =>
  transitions[event.type](state, event as never);

function withContent(state: SubmissionState, change: Partial<Submission>): SubmissionState {
  const submission = { ...state.submission, ...change };
  const ids = new Set(sourcesIn(submission.media).map(({ id }) => id));
  const files = new Map([...state.files].filter(([id]) => ids.has(id)));
  return { ...state, submission, files, failure: failureAfter(state, submission) };
}

const withMedia = (state: SubmissionState, change: (media: MediaItem[]) => MediaItem[]): SubmissionState =>
  withContent(state, { media: change(state.submission.media) });

function failureAfter({ failure, submission: before }: SubmissionState, after: Submission): SubmissionFailure | null {
  if (!failure?.field) return failure;
  const problem = problemWith(after, failure.field);
  if (problem?.message === problemWith(before, failure.field)?.message) return failure;
  return problem && { ...problem, attempt: failure.attempt };
}

function withUpload(state: SubmissionState, matches: (one: MediaSource) => unknown, update: typeof requeued) {
  if (!sourcesIn(state.submission.media).some((one) => one.file && matches(one))) return state;
  const updateItem = <One extends MediaSource>(one: One): One =>
    one.file && matches(one) ? { ...one, ...update(one.file, one.url) } : one;
  const updated = (item: MediaItem) => ({ ...updateItem(item), poster: item.poster && updateItem(item.poster) });
  return withMedia(state, (media) => media.map(updated));
}

const withLimit = (state: SubmissionState): SubmissionState =>
  state.phase === 'submitting' && state.ahead?.isPaused ? { ...state, waitingFor: 'limit' } : state;

interface Restoration {
  draft: Draft;
  submission: Submission;
  files: ReadonlyMap<string, File>;
  isAutomatic: boolean;
  network: NetworkState;
}

function withRestored(state: SubmissionState, restoration: Restoration): SubmissionState {
  const { draft, submission, files, isAutomatic, network } = restoration;
  const ids = new Set(sourcesIn(submission.media).map(({ id }) => id));
  const missing = sourcesIn(draft.submission.media).filter(({ id }) => !ids.has(id));
  const isQueued = draft.status === 'queued';
  return {
    ...state,
    ...(isQueued && { phase: 'waiting', waitingFor: network }),
    submission,
    files,
    secret: draft.secret,
    mayBeOnServer: draft.mayBeOnServer || draft.status !== 'editing',
    author: draft.account ?? state.author,
    asGuest: false,
    notices: missing.map(({ file }) => `${file!.name} could not be saved on this device. Please choose it again.`),
    failure: null,
    isPostponed: false,
    restored: isQueued ? null : draft.status === 'sending' ? 'sending' : isAutomatic ? 'written' : null,
  };
}

export class SubmissionStore {
  state: SubmissionState;
  onChange = (): void => {};

  constructor(state: SubmissionState) {
    this.state = state;
  }

  dispatch = (event: SubmissionEvent): void => {
    const state = reduce(this.state, event);
    if (state === this.state) return;
    this.state = state;
    this.onChange();
  };
}
