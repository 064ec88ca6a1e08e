import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { readStored, storedUser, writeStored } from '#session/stored.ts';
import { type Draft, type DraftStore, openDrafts, type StoredDraft, withStoredFiles } from './model/draft-store.ts';
import { sourcesIn } from './model/submission.ts';
import type { SubmissionStore } from './model/submission-reducer.ts';
import { isUntouched, networkState, type SubmissionState, statusOf, toDraft } from './model/submission-state.ts';
import { submissionWords as words } from './words/submission.ts';

const SAVE_AFTER_MS = 400;

export type DraftSync = ReturnType<typeof syncDrafts>;

/** Saves the form after changes, and restores and lists the free drafts of this device. Never throws. */
export function syncDrafts(form: SubmissionStore, name: string) {
  let store: DraftStore | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen = form.state;
  const storedFiles = new Set<string>();
  const set = (part: Partial<Pick<SubmissionState, 'freeDrafts' | 'hasLocks' | 'isOpenElsewhere' | 'saved'>>): void =>
    form.dispatch({ type: 'set', part });

  function onFailed(error: unknown): false {
    console.warn('Drafts are not saved on this device:', messageOf(error, words.processingFailed));
    set({ saved: 'impossible' });
    return false;
  }

  /** Saves one after another, so that an older copy never overwrites a newer one. @returns whether it succeeded */
  function enqueue(work: (drafts: DraftStore) => Promise<void>): Promise<boolean> {
    const saving = queue.then(async () => {
      if (store) await work(store);
      return store !== null;
    });
    const result = saving.catch(onFailed);
    queue = result;
    return result;
  }

  async function openStore(): Promise<void> {
    store = await openDrafts(name);
    set({ hasLocks: await store.hold() });
  }

  async function restoreFirst(drafts: DraftStore): Promise<void> {
    // Each tab continues its own draft after a reload or a sign-in.
    const previousId = readStored('sessionStorage', name);
    writeStored('sessionStorage', name, drafts.id);
    const { free, isOpenElsewhere } = await list(drafts, previousId);
    const draft = free.find(({ id }) => id === previousId) ?? free.find(({ status }) => status === 'queued') ?? free[0];
    if (draft && isUntouched(form.state)) await restore(drafts, draft, true);
    const isRestored = form.state.secret === draft?.secret;
    set({ freeDrafts: isRestored ? free.filter((one) => one !== draft) : free, isOpenElsewhere });
  }

  async function list(drafts: DraftStore, previous: string | null = null) {
    const { free, isOpenElsewhere } = await drafts.listFree(previous);
    const user = storedUser();
    const isOffered = ({ account, submission }: StoredDraft) =>
      (!account || !user || account.id === user.id) && !isUntouched({ ...form.state, submission });
    return { free: free.filter(isOffered), isOpenElsewhere };
  }

  async function restore(drafts: DraftStore, draft: StoredDraft, isAutomatic: boolean): Promise<void> {
    const files = await drafts.readFiles(sourcesIn(draft.submission.media).map(({ id }) => id));
    // Synchronous from here, so that no input is lost in between.
    if (isAutomatic && !isUntouched(form.state)) return;
    for (const id of files.keys()) storedFiles.add(id);
    const submission = withStoredFiles(draft.submission, files);
    form.dispatch({ type: 'restored', draft, submission, files, isAutomatic, network: networkState() });
    await drafts.takeOver(draft.id, toDraft(form.state));
  }

  const refresh = () =>
    enqueue(async (drafts) => {
      const { free: freeDrafts, isOpenElsewhere } = await list(drafts);
      set({ freeDrafts, isOpenElsewhere: form.state.isOpenElsewhere && isOpenElsewhere });
    });

  const deleteOwn = (drafts: DraftStore): Promise<void> => drafts.delete();
  const put = (drafts: DraftStore): Promise<void> => {
    const { state } = form;
    return isUntouched(state) && state.phase === 'editing' ? deleteOwn(drafts) : drafts.save(toDraft(state));
  };

  /** Shows `saved` afterwards, unless it failed or something was changed meanwhile. */
  async function saveBy(work: (drafts: DraftStore) => Promise<void>, saved: () => SubmissionState['saved']) {
    clearTimeout(timer);
    timer = undefined;
    const isDone = await enqueue(work);
    if (isDone && timer === undefined) set({ saved: saved() });
  }
  const save = () => saveBy(put, () => (isUntouched(form.state) ? 'nothing' : 'saved'));

  /** Saves pending changes synchronously, because a closing page runs no later tasks. */
  function flush(): void {
    const isWaiting = form.state.saved === 'saving' && form.state.phase !== 'submitted';
    if (timer === undefined && !isWaiting) return;
    if (store) put(store).catch(onFailed);
    // Saves again, because the page may survive and a queued task may remove the copy.
    void save();
  }

  function storeFiles(files: ReadonlyMap<string, File>) {
    for (const [id, file] of files) {
      if (storedFiles.has(id)) continue;
      storedFiles.add(id);
      // A file that cannot be stored is reported; the rest is still stored.
      const onRefused = (error: unknown) => {
        console.warn(`${file.name} is not saved on this device:`, messageOf(error, words.processingFailed));
        form.dispatch({ type: 'fileNotSaved', id });
      };
      void enqueue((drafts) => drafts.saveFile(id, file, () => toDraft(form.state)).catch(onRefused));
    }
  }

  return {
    refresh,
    save,
    flush,
    canFlush: () => isUntouched(form.state) || (store !== null && form.state.saved !== 'impossible'),
    async open(): Promise<void> {
      // Files chosen in the meantime are stored once the store is open.
      queue = openStore().catch(onFailed);
      await queue;
      await enqueue((drafts) => drafts.exclusive(() => restoreFirst(drafts)));
    },
    /** Keeps a copy of the present draft as a free one. */
    setAside: () => enqueue((drafts) => drafts.save(toDraft(form.state), newId())),
    /** Loads a free draft into the form; the present draft becomes a free draft. */
    async openDraft({ id }: StoredDraft): Promise<void> {
      await enqueue((drafts) =>
        drafts.exclusive(async () => {
          const draft = (await drafts.listFree()).free.find((one) => one.id === id);
          if (!draft) return;
          const asideId = newId();
          let copied: Draft | null = null;
          while (!isUntouched(form.state) && copied?.submission !== form.state.submission) {
            copied = toDraft(form.state);
            await drafts.save(copied, asideId);
          }
          await restore(drafts, draft, false);
        }),
      );
      await refresh();
    },
    async deleteDraft({ id }: StoredDraft): Promise<void> {
      await enqueue((drafts) => drafts.delete(id));
      await refresh();
    },
    onChange(): void {
      const { state } = form;
      const previous = seen;
      seen = state;
      if (state.files !== previous.files) storeFiles(state.files);
      if (state.phase === 'submitted') return;
      const isChanged = state.submission !== previous.submission || statusOf(state) !== statusOf(previous);
      if (!isChanged && (state.author?.id === previous.author?.id || isUntouched(state))) return;
      // The first change starts the timer, so that continuous typing is saved too.
      timer ??= setTimeout(() => void save(), SAVE_AFTER_MS);
      if (state.saved !== 'impossible') set({ saved: 'saving' });
    },
    clear: () => saveBy(deleteOwn, () => 'nothing'),
    close(): void {
      flush();
      store?.close();
    },
  };
}
