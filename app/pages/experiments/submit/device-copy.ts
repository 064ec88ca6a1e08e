import { submissionWords as words } from '../../../copy/submission.ts';
import { messageOf } from '../../../models/api-error.ts';
import { claimDraft, type Draft, type DraftStore, NEW_SUBMISSION, openDraftStore } from '../../../models/draft.ts';
import type { Saved } from './form-state.ts';

/** Longest wait between a change and its copy, in ms. */
const SAVE_AFTER = 400;

/** The copy of a form on this device: made soon after each change, read at the start. Never throws; it tells how it fares. */
export class DeviceCopy {
  readonly #draft: () => Omit<Draft, 'savedAt'>;
  readonly #tell: (saved: Saved) => void;
  readonly #name: string;
  #store: DraftStore | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #saved: Saved = 'nothing';

  /**
   * @param draft what to copy, asked for at the moment of writing
   * @param name of the place on the device
   */
  constructor(draft: () => Omit<Draft, 'savedAt'>, tell: (saved: Saved) => void, name = NEW_SUBMISSION) {
    this.#draft = draft;
    this.#tell = tell;
    this.#name = name;
  }

  /** What an earlier visit left; null when there is nothing or it is not ours to use. */
  open(): ReturnType<DraftStore['read']> {
    const opening = this.#open();
    // What is chosen meanwhile is kept as soon as there is a place for it.
    this.#writing = opening.then(() => {});
    return opening;
  }

  async #open(): ReturnType<DraftStore['read']> {
    if (!(await claimDraft(this.#name))) {
      this.#is('elsewhere');
      return null;
    }
    try {
      this.#store = await openDraftStore(this.#name);
      return await this.#store.read();
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  /** Copies soon. The first change starts the clock, so steady typing is saved as well. */
  changed() {
    if (!this.#store) return;
    if (this.#saved !== 'impossible') this.#is('saving');
    this.#timer ??= setTimeout(() => void this.write(), SAVE_AFTER);
  }

  /** Copies now. */
  async write(): Promise<void> {
    this.#stopClock();
    await this.#act((store) => store.write({ ...this.#draft(), savedAt: Date.now() }));
    if (this.#timer === undefined && this.#saved === 'saving') this.#is('saved');
  }

  /** Copies now if something is waiting to be copied. */
  flush() {
    if (this.#timer !== undefined) void this.write();
  }

  keepFile = (itemId: string, file: File) => this.#act((store) => store.keepFile(itemId, file));
  dropFile = (itemId: string) => this.#act((store) => store.dropFile(itemId));

  async clear(): Promise<void> {
    this.#stopClock();
    await this.#act((store) => store.clear());
    if (this.#saved === 'saving' || this.#saved === 'saved') this.#is('nothing');
  }

  #stopClock() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** One after the other, so that an older copy never lands on a newer one. */
  #act(work: (store: DraftStore) => Promise<void>): Promise<void> {
    this.#writing = this.#writing
      .then(() => (this.#store ? work(this.#store) : undefined))
      .catch((error) => this.#failed(error));
    return this.#writing;
  }

  #failed(error: unknown) {
    console.warn('This device keeps no copy:', messageOf(error, words.processingFailed));
    this.#is('impossible');
  }

  #is(saved: Saved) {
    this.#saved = saved;
    this.#tell(saved);
  }
}
