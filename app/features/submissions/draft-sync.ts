import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { type Draft, DraftStore, type StoredDraft, withStoredFiles } from './model/draft-store.ts';
import { sourcesIn } from './model/submission.ts';
import { isUntouched, networkState, type SubmissionState, statusOf, toDraft } from './model/submission-state.ts';
import type { SubmissionStore } from './model/submission-store.ts';
import { submissionWords as words } from './words/submission.ts';

const SAVE_AFTER_MS = 400;

export const NEW_SUBMISSION = 'madhouse-submission';

/** Saves the form after changes, and restores and lists the free drafts of this device. Never throws. */
export class DraftSync {
  readonly #form: SubmissionStore;
  readonly #name: string;
  #drafts: DraftStore | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seen: SubmissionState;
  readonly #storedFiles = new Set<string>();

  constructor(form: SubmissionStore, name: string) {
    this.#form = form;
    this.#seen = form.state;
    this.#name = name;
  }

  async open(): Promise<void> {
    // Files chosen in the meantime are stored once the store is open.
    this.#queue = this.#open();
    await this.#queue;
    await this.#enqueue((drafts) => drafts.exclusive(() => this.#restoreFirst(drafts)));
  }

  async #open(): Promise<void> {
    try {
      this.#drafts = await DraftStore.open(this.#name);
      this.#set({ hasLocks: await this.#drafts.hold() });
    } catch (error) {
      this.#onFailed(error);
    }
  }

  async #restoreFirst(drafts: DraftStore): Promise<void> {
    const previousId = previousPage(this.#name, drafts.id);
    const { free, isOpenElsewhere } = await this.#list(drafts, previousId);
    const draft =
      free.find(({ id }) => id === previousId) ?? free.find(({ status }) => status === 'queued') ?? free[0] ?? null;
    if (draft && isUntouched(this.#form.state)) await this.#restore(drafts, draft, true);
    const isRestored = this.#form.state.secret === draft?.secret;
    this.#set({ freeDrafts: isRestored ? free.filter((one) => one !== draft) : free, isOpenElsewhere });
  }

  async #list(drafts: DraftStore, previous: string | null = null) {
    const { free, isOpenElsewhere } = await drafts.listFree(previous);
    const { state } = this.#form;
    return { free: free.filter(({ submission }) => !isUntouched({ ...state, submission })), isOpenElsewhere };
  }

  async #restore(drafts: DraftStore, draft: StoredDraft, isAutomatic: boolean): Promise<void> {
    const files = await drafts.readFiles(sourcesIn(draft.submission.media).map(({ id }) => id));
    // Synchronous from here, so that no input is lost in between.
    if (isAutomatic && !isUntouched(this.#form.state)) return;
    for (const id of files.keys()) this.#storedFiles.add(id);
    const submission = withStoredFiles(draft.submission, files);
    this.#form.dispatch({ type: 'restored', draft, submission, files, isAutomatic, network: networkState() });
    await drafts.takeOver(draft.id, toDraft(this.#form.state));
  }

  refresh = (): Promise<boolean> =>
    this.#enqueue(async (drafts) => {
      const { free: freeDrafts, isOpenElsewhere } = await this.#list(drafts);
      this.#set({ freeDrafts, isOpenElsewhere: this.#form.state.isOpenElsewhere && isOpenElsewhere });
    });

  /** Loads a free draft into the form; the present draft becomes a free draft. */
  async openDraft({ id }: StoredDraft): Promise<void> {
    await this.#enqueue((drafts) =>
      drafts.exclusive(async () => {
        const draft = (await drafts.listFree()).free.find((one) => one.id === id);
        if (!draft) return;
        const asideId = newId();
        let copied: Draft | null = null;
        while (!isUntouched(this.#form.state) && copied?.submission !== this.#form.state.submission) {
          copied = toDraft(this.#form.state);
          await drafts.setAside(asideId, copied);
        }
        await this.#restore(drafts, draft, false);
      }),
    );
    await this.refresh();
  }

  async deleteDraft({ id }: StoredDraft): Promise<void> {
    await this.#enqueue((drafts) => drafts.delete(id));
    await this.refresh();
  }

  onChange = (): void => {
    const { state } = this.#form;
    const previous = this.#seen;
    this.#seen = state;
    if (state.files !== previous.files) this.#storeFiles(state.files);
    if (state.phase === 'submitted') return;
    const isChanged = state.submission !== previous.submission || statusOf(state) !== statusOf(previous);
    if (isChanged || (state.author !== previous.author && !isUntouched(state))) this.#schedule();
  };

  /** The first change starts the timer, so that continuous typing is saved too. */
  #schedule() {
    this.#timer ??= setTimeout(() => void this.save(), SAVE_AFTER_MS);
    if (this.#form.state.saved !== 'impossible') this.#set({ saved: 'saving' });
  }

  async save(): Promise<void> {
    this.#stopTimer();
    const isSaved = await this.#enqueue(this.#put);
    if (!isSaved || this.#timer !== undefined) return;
    this.#set({ saved: isUntouched(this.#form.state) ? 'nothing' : 'saved' });
  }

  /** Saves pending changes synchronously, because a closing page runs no later tasks. */
  flush = (): void => {
    if (this.#timer === undefined) return;
    if (this.#drafts) this.#put(this.#drafts).catch((error) => this.#onFailed(error));
    // Saves again, because the page may survive and a queued task may remove the copy.
    void this.save();
  };

  get canFlush(): boolean {
    return this.#drafts !== null && this.#form.state.saved !== 'impossible';
  }

  #put = (drafts: DraftStore): Promise<void> => {
    const { state } = this.#form;
    return isUntouched(state) && state.phase === 'editing' ? drafts.delete() : drafts.save(toDraft(state));
  };

  #storeFiles(files: ReadonlyMap<string, File>) {
    for (const [id, file] of files) {
      if (this.#storedFiles.has(id)) continue;
      this.#storedFiles.add(id);
      const draft = () => toDraft(this.#form.state);
      void this.#enqueue((drafts) =>
        // A file that cannot be stored is reported; the rest is still stored.
        drafts.saveFile(id, file, draft).catch((error) => {
          console.warn(`${file.name} is not saved on this device:`, messageOf(error, words.processingFailed));
          this.#form.dispatch({ type: 'fileNotSaved', id });
        }),
      );
    }
  }

  async clear(): Promise<void> {
    this.#stopTimer();
    const isCleared = await this.#enqueue((drafts) => drafts.delete());
    if (isCleared && this.#timer === undefined) this.#set({ saved: 'nothing' });
  }

  close(): void {
    this.flush();
    this.#drafts?.close();
  }

  #stopTimer() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Saves one after another, so that an older copy never overwrites a newer one. @returns whether it succeeded */
  #enqueue(work: (drafts: DraftStore) => Promise<void>): Promise<boolean> {
    const saving = this.#queue.then(async () => {
      if (!this.#drafts) return false;
      await work(this.#drafts);
      return true;
    });
    const result = saving.catch((error) => {
      this.#onFailed(error);
      return false;
    });
    this.#queue = result;
    return result;
  }

  #onFailed(error: unknown) {
    console.warn('Drafts are not saved on this device:', messageOf(error, words.processingFailed));
    this.#set({ saved: 'impossible' });
  }

  #set = (part: Partial<Pick<SubmissionState, 'freeDrafts' | 'hasLocks' | 'isOpenElsewhere' | 'saved'>>): void =>
    this.#form.dispatch({ type: 'set', part });
}

/** Id of this tab's page before a reload or a sign-in, so that each tab continues its own draft. */
function previousPage(name: string, id: string): string | null {
  try {
    const previous = sessionStorage.getItem(name);
    sessionStorage.setItem(name, id);
    return previous;
  } catch {
    // Storage can be blocked by the browser's settings.
    return null;
  }
}
