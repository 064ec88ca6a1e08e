import type { UploadsAhead } from '#features/media/model/allowance.ts';
import { deviceWords } from '../words/device.ts';
import type { Draft } from './draft-store.ts';
import type { Outcome } from './outcome.ts';
import {
  type ChosenFile,
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

export type SubmissionEvent =
  | { type: 'changed'; change: Partial<Submission> }
  | { type: 'mediaAdded'; item: MediaItem }
  | { type: 'mediaRemoved'; id: string }
  | { type: 'mediaDescribed'; id: string; part: Partial<Pick<MediaItem, 'caption' | 'alt' | 'made' | 'poster'>> }
  | { type: 'mediaSorted'; ids: readonly string[] }
  | { type: 'coverChosen'; id: string | null }
  | { type: 'fileChosen'; id: string; file: File }
  | { type: 'uploadProgressed'; id: string; fraction: number }
  | { type: 'uploaded'; id: string; url: string; at: number }
  | { type: 'uploadFailed'; id: string; failure: NonNullable<ChosenFile['failure']> }
  | { type: 'uploadRetried'; id: string }
  | { type: 'failedUploadsRetried' }
  | { type: 'uploadsAheadChanged'; ahead: UploadsAhead }
  | { type: 'failed'; failure: Omit<SubmissionFailure, 'attempt'> }
  | { type: 'sendStarted' }
  | { type: 'networkLost'; network: NetworkState }
  | { type: 'networkChecked'; network: NetworkState | 'reached' }
  | { type: 'sendFailed'; failure: Omit<SubmissionFailure, 'attempt'> }
  | { type: 'sendPostponed' }
  | { type: 'sent'; outcome: Outcome }
  | { type: 'renewed'; secret: string; ids: ReadonlyMap<string, string> }
  | { type: 'startedOver'; secret: string }
  | { type: 'userChanged'; user: string | null }
  | { type: 'fileNotSaved'; id: string }
  | {
      type: 'restored';
      draft: Draft;
      submission: Submission;
      files: ReadonlyMap<string, File>;
      isAutomatic: boolean;
      network: NetworkState;
    }
  | { type: 'set'; part: Partial<Independent> };

type Independent = Pick<
  SubmissionState,
  | 'asGuest'
  | 'freeDrafts'
  | 'hasLocks'
  | 'isOpenElsewhere'
  | 'mayBeOnServer'
  | 'notices'
  | 'outcome'
  | 'phase'
  | 'restored'
  | 'saved'
  | 'step'
>;

export function reduce(state: SubmissionState, event: SubmissionEvent): SubmissionState {
  const { media } = state.submission;
  switch (event.type) {
    case 'changed':
      return withContent(state, event.change);
    case 'mediaAdded':
      return withContent(state, { media: [...media, event.item] });
    case 'mediaRemoved':
      return withContent(state, { media: media.filter(({ id }) => id !== event.id) });
    case 'mediaDescribed':
      return withContent(state, { media: media.map((one) => (one.id === event.id ? { ...one, ...event.part } : one)) });
    case 'mediaSorted':
      return withContent(state, {
        media: media.toSorted((a, b) => event.ids.indexOf(a.id) - event.ids.indexOf(b.id)),
      });
    case 'coverChosen':
      return withContent(state, { media: media.map((one) => ({ ...one, isCover: one.id === event.id })) });
    case 'fileChosen':
      return { ...state, files: new Map(state.files).set(event.id, event.file) };
    case 'uploadProgressed':
      return { ...state, progress: { ...state.progress, [event.id]: event.fraction } };
    case 'uploaded':
      return withUpload({ ...state, interruptions: 0 }, ({ id }) => id === event.id, {
        located: { url: event.url, isUploading: false },
        file: { uploadedAt: event.at, failure: null },
      });
    case 'uploadFailed':
      return withUpload(state, ({ id }) => id === event.id, {
        located: { isUploading: false },
        file: { failure: event.failure },
      });
    case 'uploadRetried':
      return withUpload(state, ({ id }) => id === event.id, QUEUED);
    case 'failedUploadsRetried':
      return withUpload(state, ({ file }) => file?.failure?.final === false, QUEUED);
    case 'uploadsAheadChanged':
      return withLimit({ ...state, ahead: event.ahead });
    case 'failed':
      return withFailure(state, event.failure);
    case 'sendStarted':
      return withLimit({
        ...state,
        phase: 'submitting',
        failure: null,
        restored: null,
        isPostponed: false,
        interruptions: state.phase === 'editing' ? 0 : state.interruptions,
      });
    case 'networkLost':
      return { ...state, phase: 'waiting', step: null, waitingFor: event.network };
    case 'networkChecked':
      if (event.network === 'reached')
        return withUpload(
          { ...state, interruptions: state.interruptions + 1 },
          ({ file }) => file?.failure?.lost === true,
          QUEUED,
        );
      return {
        ...state,
        interruptions: 0,
        waitingFor: state.phase === 'waiting' ? event.network : state.waitingFor,
      };
    case 'sendFailed':
      return withFailure({ ...state, ...EDITING, restored: null }, event.failure);
    case 'sendPostponed':
      return { ...state, ...EDITING, isPostponed: true };
    case 'sent':
      return {
        ...state,
        ...EDITING,
        phase: 'submitted',
        outcome: { ...event.outcome, secret: state.secret },
      };
    case 'renewed': {
      const renew = (id: string) => event.ids.get(id) ?? id;
      return withContent(
        { ...state, secret: event.secret, files: new Map([...state.files].map(([id, file]) => [renew(id), file])) },
        { media: media.map((one) => ({ ...one, id: renew(one.id) })) },
      );
    }
    case 'startedOver': {
      const { saved, hasLocks, freeDrafts, user, attempts } = state;
      const emptyState = initialState(state.initial, event.secret);
      return { ...emptyState, saved, hasLocks, freeDrafts, user, attempts, author: user ?? null };
    }
    case 'userChanged': {
      const signedIn = { ...state, user: event.user, author: event.user ?? state.author };
      if (isSignedOut(signedIn)) return signedIn;
      return { ...signedIn, asGuest: false, failure: isSignedOut(state) ? null : state.failure };
    }
    case 'fileNotSaved':
      return { ...state, unsavedFiles: [...state.unsavedFiles, event.id] };
    case 'restored':
      return withRestored(state, event);
    case 'set': {
      const isChanged = Object.entries(event.part).some(([name, value]) => state[name as keyof Independent] !== value);
      return isChanged ? { ...state, ...event.part } : state;
    }
  }
}

const EDITING = { phase: 'editing', step: null, waitingFor: null } as const;
const QUEUED = { located: { isUploading: true }, file: { failure: null } } as const;

function withContent(state: SubmissionState, change: Partial<Submission>): SubmissionState {
  const submission = { ...state.submission, ...change };
  const ids = new Set(sourcesIn(submission.media).map(({ id }) => id));
  return {
    ...state,
    submission,
    files: new Map([...state.files].filter(([id]) => ids.has(id))),
    failure: failureAfter(state.failure, state.submission, submission),
  };
}

function failureAfter(
  failure: SubmissionFailure | null,
  before: Submission,
  after: Submission,
): SubmissionFailure | null {
  if (!failure?.field) return failure;
  const previous = problemWith(before, failure.field);
  const problem = problemWith(after, failure.field);
  if (problem?.message === previous?.message) return failure;
  return problem && { ...problem, attempt: failure.attempt };
}

const withFailure = (state: SubmissionState, failure: Omit<SubmissionFailure, 'attempt'>): SubmissionState => ({
  ...state,
  attempts: state.attempts + 1,
  failure: { ...failure, attempt: state.attempts + 1 },
});

function withUpload(
  state: SubmissionState,
  matches: (located: MediaSource) => boolean,
  { located, file }: { located: Partial<MediaSource>; file: Partial<ChosenFile> },
): SubmissionState {
  if (!sourcesIn(state.submission.media).some((one) => one.file && matches(one))) return state;
  const updateItem = <One extends MediaSource>(one: One): One =>
    one.file && matches(one) ? { ...one, ...located, file: { ...one.file, ...file } } : one;
  const media = state.submission.media.map((item) => ({
    ...updateItem(item),
    poster: item.poster && updateItem(item.poster),
  }));
  return withContent(state, { media });
}

const withLimit = (state: SubmissionState): SubmissionState =>
  state.phase === 'submitting' && state.ahead?.isPaused ? { ...state, waitingFor: 'limit' } : state;

function withRestored(
  state: SubmissionState,
  { draft, submission, files, isAutomatic, network }: Extract<SubmissionEvent, { type: 'restored' }>,
): SubmissionState {
  const ids = new Set(submission.media.map(({ id }) => id));
  const missing = draft.submission.media.filter(({ id }) => !ids.has(id));
  const isQueued = draft.status === 'queued';
  return {
    ...state,
    ...(isQueued && { phase: 'waiting', waitingFor: network }),
    submission,
    files,
    secret: draft.secret,
    mayBeOnServer: draft.status !== 'editing',
    author: state.user ?? draft.account ?? state.author,
    notices: missing.map(({ file }) => deviceWords.fileMissing(file!.name)),
    failure: null,
    isPostponed: false,
    restored: isQueued ? null : draft.status === 'sending' ? 'sending' : isAutomatic ? 'written' : null,
  };
}
