import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '#lib/data/api-error.ts';
import { newId, newSecret } from '#lib/data/ids.ts';
import { isCategory } from '#lib/words/categories.ts';
import { backendOf, hasStoredSession } from '#session/stored.ts';
import { watchUser } from '#session/use-signed-in.ts';
import { paragraphsOf } from '#ui/editor/plain-text.ts';
import { syncDrafts } from './draft-sync.ts';
import { addFiles, uploadFiles } from './file-uploads.ts';
import { NEW_SUBMISSION, type StoredDraft } from './model/draft-store.ts';
import { isComplete, type Outcome } from './model/outcome.ts';
import { emptySubmission, type MediaSource, type Submission, TEXTS, undescribed } from './model/submission.ts';
import { SubmissionStore } from './model/submission-reducer.ts';
import {
  initialState,
  needsNetwork,
  networkState,
  type SubmissionState,
  unsavedFileNames,
} from './model/submission-state.ts';
import { watchNetwork } from './network-watch.ts';
import { createSender } from './sender.ts';

export type ServerDraft = { submission: Submission; name: string; send: (submission: Submission) => Promise<Outcome> };

export type SubmissionActions = ReturnType<typeof startSubmission>['actions'];

export type SubmissionProps = { state: SubmissionState; actions: SubmissionActions | null };

/** The submit form of this page. @param draft constant for the page's lifetime */
export function useSubmission(draft?: ServerDraft): SubmissionProps & { element: RefObject<HTMLFormElement | null> } {
  const [form, setForm] = useState<ReturnType<typeof startSubmission> | null>(null);
  const [state, setState] = useState(() => initialState(draft?.submission ?? emptySubmission(), ''));
  const first = useRef(draft);
  const element = useRef<HTMLFormElement>(null);
  // Uses the layout effect, because a rerender would clear input typed before hydration.
  useLayoutEffect(() => {
    const typed = readForm(new FormData(element.current!), first.current?.submission ?? emptySubmission());
    const submission = startSubmission(setState, typed, first.current);
    setForm(submission);
    return submission.stop;
  }, []);

  // No confirmation while everything is saved, or can be saved on unload.
  const hasUnsavedFiles = unsavedFileNames(state).length > 0;
  const isSent = state.outcome !== null && isComplete(state.outcome);
  const isUnsaved = !isSent && (hasUnsavedFiles || state.saved === 'saving' || state.saved === 'impossible');
  useEffect(() => {
    if (!isUnsaved) return;
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      if (hasUnsavedFiles || !form?.drafts.canFlush()) event.preventDefault();
    };
    addEventListener('beforeunload', confirmLeaving);
    return () => removeEventListener('beforeunload', confirmLeaving);
  }, [isUnsaved, hasUnsavedFiles, form]);

  return { state, actions: form?.actions ?? null, element };
}

/** What was typed before hydration. */
function readForm(form: FormData, shown: Submission): Partial<Submission> {
  const change: Partial<Submission> = {};
  for (const name of ['title', 'client', 'contact', 'note'] as const) {
    const text = String(form.get(name) ?? '');
    if (text && text !== shown[name]) change[name] = text;
  }
  const category = form.get('category');
  if (isCategory(category) && category !== shown.category) change.category = category;
  for (const name of TEXTS) {
    const html = paragraphsOf(String(form.get(name) ?? ''));
    if (html && !shown[name]) change[name] = html;
  }
  return change;
}

const atAddress = (url: string): MediaSource => ({ id: newId(), url, isUploading: false, file: null });

/** Connects the state with what happens outside of it: storage, files, network and session. */
function startSubmission(onState: (state: SubmissionState) => void, typed: Partial<Submission>, draft?: ServerDraft) {
  const { url, key } = backendOf();
  const store = new SubmissionStore(initialState(draft?.submission ?? emptySubmission(), newSecret()));
  const { dispatch } = store;
  const drafts = syncDrafts(store, draft?.name ?? NEW_SUBMISSION);
  const files = uploadFiles(store, { url, key, token: sessionToken });
  const network = watchNetwork(
    () => isServerReached(url, key),
    (isReached) => {
      dispatch({ type: 'networkChecked', network: isReached ? 'reached' : networkState() });
      if (isReached && store.state.phase === 'waiting') void sender.send(true);
    },
  );
  const sender = createSender(store, drafts, async (signal, skipLost) => {
    const finishUploads = () => files.finish(skipLost);
    if (draft) {
      await finishUploads();
      signal.throwIfAborted();
      return draft.send(store.state.submission);
    }
    const [{ sendSubmissionOf }, { clients }] = await loadSending();
    return sendSubmissionOf(store, { ...clients(), finishUploads, signal }, drafts.save);
  });

  onState(store.state);
  store.onChange = () => {
    drafts.onChange();
    files.onChange();
    network.setActive(needsNetwork(store.state));
    onState(store.state);
  };
  const controller = new AbortController();
  const { signal } = controller;
  const onVisibilityChange = () => (document.visibilityState === 'hidden' ? drafts.flush() : void drafts.refresh());
  document.addEventListener('visibilitychange', onVisibilityChange, { signal });
  addEventListener('pagehide', drafts.flush, { signal });

  if (Object.keys(typed).length > 0) dispatch({ type: 'changed', change: typed });
  void drafts.open().then(() => network.check());
  // A draft on the server is sent with its link's or its account's rights.
  const unwatchUser = draft
    ? () => {}
    : watchUser((user) => {
        if (!user && hasStoredSession()) return;
        const { author } = store.state;
        if (user && author && user.id !== author.id) location.reload();
        else dispatch({ type: 'userChanged', user });
      });

  const addMedia = (media: MediaSource & { type: 'image' | 'video'; caption?: string }) =>
    dispatch({ type: 'mediaAdded', item: { ...undescribed, ...media } });
  const actions = {
    dispatch,
    prepare: () => void (draft || loadSending().catch(() => {})),
    addFiles: (chosen: readonly File[]) => addFiles(store, chosen, (file) => addMedia({ ...file, type: 'image' })),
    addAddress: (type: 'image' | 'video', address: string, caption: string) =>
      addMedia({ ...atAddress(address), type, caption: caption.trim() }),
    setPoster(id: string, picture: File | string) {
      const set = (poster: MediaSource) => dispatch({ type: 'mediaDescribed', id, part: { poster } });
      if (typeof picture === 'string') set(atAddress(picture));
      else void addFiles(store, [picture], set);
    },
    async submit(): Promise<void> {
      if (store.state.phase === 'waiting') return network.check();
      if (store.state.phase === 'editing') await sender.send();
    },
    async sendAsGuest(): Promise<void> {
      dispatch({ type: 'set', part: { asGuest: true } });
      await actions.submit();
    },
    sendLater: sender.postpone,
    /** Retries missing parts from the success screen, or reopens the form where a retry would not help. */
    async sendRest(): Promise<void> {
      const { phase, outcome } = store.state;
      if (phase !== 'submitted') return;
      dispatch({ type: 'set', part: { phase: 'editing', outcome: null } });
      if (outcome?.unfinished || outcome?.closed) await actions.submit();
    },
    async continueRestored(): Promise<void> {
      const { restored } = store.state;
      dispatch({ type: 'set', part: { restored: null } });
      if (restored === 'sending') await actions.submit();
    },
    async startOver() {
      const { outcome } = store.state;
      sender.stop();
      if (outcome && !isComplete(outcome)) await drafts.setAside();
      dispatch({ type: 'startedOver', secret: newSecret() });
      await drafts.clear();
      await drafts.refresh();
    },
    async openDraft(chosen: StoredDraft) {
      await drafts.openDraft(chosen);
      await network.check();
    },
    deleteDraft: drafts.deleteDraft,
  };

  return {
    drafts,
    actions,
    stop() {
      controller.abort();
      unwatchUser();
      store.onChange = () => {};
      sender.stop();
      network.setActive(false);
      files.stop();
      drafts.close();
    },
  };
}

/** A script that cannot be loaded counts as a lost connection. */
const loaded = <Module>(loading: Promise<Module>): Promise<Module> =>
  loading.catch((error: unknown) => {
    throw new ApiError(`TypeError: ${error}`);
  });

const loadSending = () =>
  loaded(Promise.all([import('./model/send.ts'), import('#session/browser.ts'), import('./submitted.tsx')]));

/** Null without a session, which needs no identity client. */
async function sessionToken(): Promise<string | null> {
  if (!hasStoredSession()) return null;
  const { clients } = await loaded(import('#session/browser.ts'));
  return (await clients().auth.getSession()).data.session?.access_token ?? null;
}

const CHECK_TIMEOUT_MS = 8000;

/** Other responses may come from a captive portal. */
function isServerReached(url: string, key: string): Promise<boolean> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const isAnswered = async (answer: Response) => answer.ok && typeof (await answer.json()) === 'object';
  const response = fetch(`${url}/auth/v1/health`, { headers: { apikey: key }, cache: 'no-store', signal });
  return response.then(isAnswered).catch(() => false);
}
