import { describe, expect, it } from 'vitest';
import type { Draft } from './draft-store.ts';
import { emptySubmission, type MediaItem, type Submission, undescribed } from './submission.ts';
import { reduce, type SubmissionEvent } from './submission-reducer.ts';
import {
  initialState,
  isSignedOut,
  isUntouched,
  MAX_INTERRUPTIONS,
  needsNetwork,
  type SubmissionState,
  statusOf,
  toDraft,
  unsavedFileNames,
} from './submission-state.ts';

const file = {
  ...{ name: 'a.png', size: 1, contentType: 'image/png', path: 'images/a.png' },
  ...{ uploadedAt: null, failure: null },
};
const uploading = { ...undescribed, type: 'image' as const, url: '', isUploading: true, file };
const item = (id: string, part: Partial<MediaItem> = {}): MediaItem => ({ ...uploading, id, ...part });
const start = (submission: Partial<Submission> = {}) => initialState({ ...emptySubmission(), ...submission }, 'secret');
const stateAfter = (state: SubmissionState, ...events: SubmissionEvent[]) => events.reduce(reduce, state);
const failed = { message: 'The connection was lost.', final: false, lost: true };
const reached = { type: 'networkChecked', network: 'reached' } as const;
const none = { limit: 1, left: 0 };
const ahead = { allowance: { files: none, bytes: none, resetsAt: null }, sizes: [1], isPaused: true };

describe('media of a submission', () => {
  it('can be added, described, sorted, removed and set as cover', () => {
    const state = stateAfter(
      start(),
      { type: 'mediaAdded', item: item('a') },
      { type: 'mediaAdded', item: item('b') },
      { type: 'mediaAdded', item: item('c') },
      { type: 'mediaDescribed', id: 'b', part: { alt: 'A lamp' } },
      { type: 'mediaSorted', ids: ['c', 'b', 'a'] },
      { type: 'coverChosen', id: 'b' },
      { type: 'mediaRemoved', id: 'a' },
    );
    expect(state.submission.media).toMatchObject([
      { id: 'c', isCover: false },
      { id: 'b', isCover: true, alt: 'A lamp' },
    ]);
  });

  it('receive their address after the upload, also as a poster (SUBMIT-54)', () => {
    const poster = { id: 'p', url: '', isUploading: true, file };
    const film = item('v', { type: 'video', file: null, isUploading: false, url: 'https://a.b', poster });
    const url = 'https://c.d';
    const state = stateAfter(start({ media: [film] }), { type: 'uploaded', id: 'p', url, at: 5 });
    const uploaded = { id: 'p', url, isUploading: false, file: { ...file, uploadedAt: 5 } };
    expect(state.submission.media[0]!.poster).toEqual(uploaded);
  });

  it('wait for the network after a lost upload, and are queued again when the server is reached', () => {
    const lost = stateAfter(start({ media: [item('a')] }), { type: 'uploadFailed', id: 'a', failure: failed });
    expect(needsNetwork(lost)).toBe(true);
    const back = stateAfter(lost, reached);
    expect(back.submission.media[0]).toMatchObject({ isUploading: true, file: { failure: null } });
    expect(needsNetwork(back)).toBe(false);
    // Nothing is saved when no upload matches.
    expect(stateAfter(back, { type: 'uploadsRequeued' })).toBe(back);
  });

  it('are queued to a new path when the server may have deleted them, unless their bytes are missing or they failed finally', () => {
    const expired = { url: 'https://a.b/a.png', isUploading: false, file: { ...file, uploadedAt: 0 } };
    const final = item('f', { isUploading: false, file: { ...file, failure: { ...failed, final: true } } });
    const media = [item('a', expired), item('b', expired), final];
    const fresh = item('n', { ...expired, file: { ...file, uploadedAt: Date.now() } });
    const state = start({ media: [...media, fresh] });
    const files = new Map(['a', 'f', 'n'].map((id) => [id, new File([], 'a.png')]));
    const { submission } = stateAfter({ ...state, files }, { type: 'uploadsRequeued' });
    expect(submission.media[0]).toMatchObject({ url: '', isUploading: true, file: { uploadedAt: null } });
    expect(submission.media[0]!.file!.path).toMatch(/^images\/[0-9a-f-]{36}\.png$/);
    expect(submission.media.slice(1)).toEqual(state.submission.media.slice(1));
  });

  it('report files that are stored neither on the device nor on the server', () => {
    const state = stateAfter(start({ media: [item('a')] }), { type: 'fileNotSaved', id: 'a' });
    expect(unsavedFileNames(state)).toEqual(['a.png']);
    expect(unsavedFileNames(stateAfter(state, { type: 'uploaded', id: 'a', url: 'https://a.b', at: 1 }))).toEqual([]);
  });
});

describe('failure of a submission', () => {
  const failure = { field: 'title', message: 'Project title is required' } as const;
  const state = stateAfter(start(), { type: 'sendFailed', failure });

  it('disappears when its field becomes valid, and changes with the problem', () => {
    expect(stateAfter(state, { type: 'changed', change: { title: 'A lamp' } }).failure).toBeNull();
    expect(stateAfter(state, { type: 'changed', change: { client: 'Acme' } }).failure).toBe(state.failure);
    const long = stateAfter(state, { type: 'changed', change: { title: 'x'.repeat(201) } });
    expect(long.failure?.message).toMatch(/too long/);
  });

  it('is a new object for each attempt (SUBMIT-26)', () => {
    const again = stateAfter(state, { type: 'sendFailed', failure });
    expect(again.failure!.attempt).toBe(state.failure!.attempt + 1);
  });
});

describe('sending state', () => {
  it('is stored as interrupted while it runs, and as queued while it waits', () => {
    const sending = stateAfter(start(), { type: 'sendStarted' });
    expect([statusOf(start()), statusOf(sending)]).toEqual(['editing', 'sending']);
    const waiting = stateAfter(sending, { type: 'networkLost', network: 'offline' });
    expect(statusOf(waiting)).toBe('queued');
    expect(statusOf(stateAfter(waiting, { type: 'sendStarted' }))).toBe('queued');
    expect(statusOf(stateAfter(waiting, { type: 'sendPostponed' }))).toBe('editing');
  });

  it('is queued while the upload quota is used up, before and during sending', () => {
    const before = stateAfter(start(), { type: 'uploadsAheadChanged', ahead }, { type: 'sendStarted' });
    const during = stateAfter(start(), { type: 'sendStarted' }, { type: 'uploadsAheadChanged', ahead });
    for (const state of [before, during]) expect([state.waitingFor, statusOf(state)]).toEqual(['limit', 'queued']);
    expect(stateAfter(start(), { type: 'uploadsAheadChanged', ahead }).waitingFor).toBeNull();
  });

  it('counts consecutive interruptions', () => {
    let state = stateAfter(start({ media: [item('a')] }), { type: 'sendStarted' });
    for (let n = 0; n < MAX_INTERRUPTIONS; n++)
      state = stateAfter(state, { type: 'networkLost', network: 'unreachable' }, reached, { type: 'sendStarted' });
    expect(state.interruptions).toBe(MAX_INTERRUPTIONS);
    expect(stateAfter(state, { type: 'networkChecked', network: 'offline' }).interruptions).toBe(0);
    expect(stateAfter(state, { type: 'uploaded', id: 'a', url: 'https://a.b', at: 1 }).interruptions).toBe(0);
    const failure = { field: null, message: 'No' };
    expect(stateAfter(state, { type: 'sendFailed', failure }, { type: 'sendStarted' }).interruptions).toBe(0);
  });

  it('continues as a new draft with other ids when the server accepts no more changes', () => {
    const renewed = { type: 'renewed', secret: 'other', ids: new Map([['a', 'c']]) } as const;
    const state = stateAfter(start({ media: [item('a'), item('b')] }), renewed);
    expect(state.secret).toBe('other');
    expect(state.submission.media.map(({ id }) => id)).toEqual(['c', 'b']);
  });

  it('ends on the success screen, from which a new empty form starts (SUBMIT-47, SUBMIT-53)', () => {
    const stored = { media: { stored: 1, of: 1 }, textsStored: true };
    const outcome = { id: '1', asGuest: true, ...stored, unfinished: false, closed: false, lost: false };
    const sent = stateAfter(start(), { type: 'changed', change: { title: 'A' } }, { type: 'sent', outcome });
    expect(sent).toMatchObject({ phase: 'submitted', outcome: { secret: 'secret' } });
    const fresh = stateAfter(sent, { type: 'startedOver', secret: 'next' });
    expect(isUntouched(fresh)).toBe(true);
    expect(fresh).toMatchObject({ phase: 'editing', outcome: null, secret: 'next', mayBeOnServer: false });
  });
});

describe('restored draft', () => {
  const draft = { ...toDraft(start({ title: 'Stored' })), secret: 'stored' };
  const restored = { type: 'restored', files: new Map(), network: 'unreachable' } as const;
  const restore = (part: Partial<Draft>, submission = draft.submission, isAutomatic = true): SubmissionState =>
    stateAfter(start(), { ...restored, draft: { ...draft, ...part }, submission, isAutomatic });

  it.each<[Draft['status'], Partial<SubmissionState>]>([
    ['editing', { secret: 'stored', restored: 'written', mayBeOnServer: false }],
    ['sending', { restored: 'sending', mayBeOnServer: true }],
    ['queued', { phase: 'waiting', waitingFor: 'unreachable', restored: null }],
  ])('offers to continue or to finish sending, and sends a queued one: %s', (status, state) => {
    expect(restore({ status })).toMatchObject(state);
    expect(restore({ status }, undefined, false).restored).toBe(status === 'sending' ? 'sending' : null);
    expect(toDraft(restore({ status, mayBeOnServer: true }))).toMatchObject({ status, mayBeOnServer: true });
  });

  it('names its missing pictures and posters', () => {
    const film = item('v', { file: null, url: 'https://a.b', isUploading: false, poster: item('p') });
    const submission = { ...emptySubmission(), media: [item('a'), film] };
    const found = { ...submission, media: [{ ...film, poster: null }] };
    const missing = 'a.png could not be saved on this device. Please choose it again.';
    expect(restore({ submission }, found).notices).toEqual([missing, missing]);
  });
});

describe('account of a submission', () => {
  it('is the user who wrote it, also while signed out, and none of a guest', () => {
    const asha = { id: 'a', email: 'asha@example.com' };
    expect(isSignedOut(stateAfter(start(), { type: 'userChanged', user: null }))).toBe(false);
    const member = stateAfter(start(), { type: 'userChanged', user: asha });
    const signedOut = stateAfter(member, { type: 'userChanged', user: null }, { type: 'set', part: { asGuest: true } });
    expect(signedOut).toMatchObject({ author: asha, asGuest: true });
    expect(isSignedOut(signedOut)).toBe(true);
    const sendFailed = { type: 'sendFailed', failure: { field: null, message: 'Not sent' } } as const;
    const again = stateAfter(signedOut, sendFailed, { type: 'userChanged', user: asha });
    expect(again).toMatchObject({ author: asha, asGuest: false, failure: null });
  });
});
