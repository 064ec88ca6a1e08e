import { submissionWords as words } from '../../../copy/submission.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import { newId } from '../../../models/data/ids.ts';
import { type Draft, type DraftStore, NEW_SUBMISSION, openDraftStore } from '../../../models/submission/draft.ts';
import { gather, isSame } from '../../../models/submission/merge-drafts.ts';
import { locatedIn, type Submission } from '../../../models/submission/submission.ts';
import { TabLock } from '../../../models/submission/tab-lock.ts';
import type { FormState, Saved } from './form-state.ts';
import type { FormStore } from './form-store.ts';

/** Longest wait between a change and its copy, in ms. */
const SAVE_AFTER = 400;

/** How a draft comes into the form: with the page, from a tab that is closed, or taken from one that is not. */
export type Arrival = 'opened' | 'closed' | 'taken';

/** What happens to the form whose copy it is. */
export interface CopyEvents {
  bring: (draft: Draft, files: Map<string, File>, how: Arrival) => void;
  /** Another tab goes on with what the form held when the copy was made. */
  part: (from: Submission) => void;
}

/**
 * The copy of a form on this device: made soon after each change, read at the start, and brought together with what other
 * tabs kept when their time is over (docs/decisions/033). Never throws; it tells how it fares.
 */
export class DeviceCopy {
  readonly #form: FormStore;
  readonly #events: CopyEvents;
  readonly #name: string;
  readonly #lock: TabLock;
  #store: DraftStore | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #saved: Saved = 'nothing';
  #tab: FormState['tab'] = 'here';
  /** How the next turn comes about. */
  #how: Arrival = 'opened';
  /** The tab that the turn is taken from. */
  #from: string | null = null;
  /** What the device has under this tab's name. */
  #written: Submission | null = null;
  #released = false;
  readonly #unkept = new Set<string>();

  /** @param name of the place on the device */
  constructor(form: FormStore, events: CopyEvents, name = NEW_SUBMISSION) {
    this.#form = form;
    this.#events = events;
    this.#name = name;
    this.#lock = new TabLock(name, {
      onTurn: () => void this.#turn(),
      onElsewhere: () => void this.#elsewhere(),
      onTaken: () => void this.#taken(),
    });
  }

  /** Brings back what an earlier visit left, or waits for the tab that has it. */
  async open(): Promise<void> {
    const opening = this.#open();
    // What is chosen meanwhile is kept as soon as there is a place for it.
    this.#writing = opening;
    if (await opening) return this.#lock.ask();
    if (!this.#store) return;
    this.#stands('unknown');
    await this.#gather();
  }

  /** Whether the browser tells about tabs. */
  async #open(): Promise<boolean> {
    try {
      this.#store = await openDraftStore(this.#name);
      return await this.#lock.open();
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  async #turn(): Promise<void> {
    this.#stands('here');
    await this.#lock.settled();
    await this.#gather();
    this.#how = 'closed';
  }

  async #elsewhere(): Promise<void> {
    this.#stands('elsewhere');
    // What this very tab held before it was reloaded.
    await this.#gather();
    this.#how = 'closed';
  }

  /** Another tab has read the copy of this one and writes on: what was written since stays ours. */
  async #taken(): Promise<void> {
    this.#stands('elsewhere');
    this.#how = 'closed';
    this.#events.part(this.#written ?? this.#form.held().submission);
    await this.write();
  }

  /** Makes this the tab that goes on with the draft. */
  async writeHere(): Promise<void> {
    this.#from = await this.#lock.holder();
    this.#how = 'taken';
    this.#lock.take();
  }

  /** Somebody looks at the page: another tab may have been closed meanwhile. */
  async look(): Promise<void> {
    if (!this.#store || this.#tab === 'elsewhere' || this.#released) return;
    await this.#lock.settled();
    await this.#gather(false);
  }

  /**
   * Takes in what tabs kept that are gone.
   * @param known whether also what was left beside the draft before
   */
  #gather(known = true): Promise<boolean> {
    return this.#act(async (store) => {
      const copies = await store.read();
      // Asked after reading: whoever wrote a copy showed to be alive before.
      const alive = await this.#lock.alive();
      const here = this.#tab !== 'elsewhere';
      const gone = [...copies].filter(([tab]) => tab !== this.#lock.id && (tab === this.#from || !alive.has(tab)));
      const others = gone.filter(([, { aside }]) => !aside || (known && here));
      const files = await store.files(others.flatMap(([, { submission }]) => idsIn(submission)));
      // From here to the end nobody types: the form is asked, and shows the answer, in one go.
      const mine = { ...this.#form.held(), savedAt: Date.now(), aside: false };
      const waits = !here && (others.length === 0 || mine.parted);
      const { draft, taken, aside } = waits ? nothing(mine) : gather(mine, others, this.#form.first.submission);
      if (draft.submission !== mine.submission || draft.secret !== mine.secret)
        this.#events.bring(draft, files, this.#how);
      if (here) {
        const beside = gone.filter(([tab]) => !taken.includes(tab));
        this.#form.show({ kept: beside.map(([tab, kept]) => ({ tab, draft: kept })) });
      }
      this.#from = null;
      if (taken.length > 0 || aside.length > 0) {
        const now = { ...this.#form.held(), savedAt: Date.now(), aside: false };
        await store.takeIn(this.#lock.id, now, taken, here ? aside : []);
        this.#written = now.submission;
        this.#is('saved');
      }
    });
  }

  /** Puts a kept draft into the form, and what was there beside it. */
  openKept(tab: string): Promise<boolean> {
    return this.#act(async (store) => {
      const other = (await store.read()).get(tab);
      const files = await store.files(other ? idsIn(other.submission) : []);
      const mine = { ...this.#form.held(), savedAt: Date.now(), aside: true };
      if (other && !isSame(mine.submission, this.#form.first.submission)) await store.write(newId(), mine);
      if (other) {
        this.#events.bring({ ...other, aside: false, parted: null }, files, 'opened');
        await store.takeIn(this.#lock.id, { ...this.#form.held(), savedAt: Date.now(), aside: false }, [tab], []);
      }
    }).then(() => this.#gather(false));
  }

  removeKept(tab: string): Promise<boolean> {
    return this.#act((store) => store.remove(tab)).then(() => this.#gather(false));
  }

  /** Copies soon. The first change starts the clock, so steady typing is saved as well. */
  changed() {
    if (this.#saved !== 'impossible') this.#is('saving');
    this.#timer ??= setTimeout(() => void this.write(), SAVE_AFTER);
  }

  /** Copies now. */
  async write(): Promise<void> {
    this.#stopClock();
    const written = await this.#act(this.#put);
    if (written && this.#timer === undefined && this.#saved !== 'nothing') this.#is('saved');
  }

  /** Copies in this very moment if something is waiting to be copied: once the page is gone, nothing has its turn any more. */
  flush() {
    if (this.#timer === undefined) return;
    if (this.#store) this.#put(this.#store)?.catch((error) => this.#failed(error));
    // The page may live on, and what was in line before may remove the copy.
    void this.write();
  }

  /** Whether a page that goes in this moment can leave a copy behind. */
  get flushes(): boolean {
    return this.#store !== null && this.#saved !== 'impossible';
  }

  #put = (store: DraftStore): Promise<void> | undefined => {
    const held = this.#form.held();
    // Another tab has all of it.
    if (held.parted && isSame(held.submission, held.parted)) return;
    this.#written = held.submission;
    return store.write(this.#lock.id, { ...held, savedAt: Date.now(), aside: false });
  };

  /** A file that cannot be kept is named; the rest is kept all the same. */
  keepFile = (itemId: string, file: File) =>
    this.#act(async (store) => {
      try {
        await store.keepFile(itemId, file);
      } catch (error) {
        console.warn(`${file.name} is not kept on this device:`, messageOf(error, words.processingFailed));
        this.#unkept.add(itemId);
        this.#form.show({ unkept: [...this.#unkept] });
      }
    });
  dropFile = (itemId: string) => this.#act((store) => store.dropFile(itemId));

  async clear(): Promise<void> {
    this.#stopClock();
    await this.#act((store) => store.remove(this.#lock.id));
    this.#written = null;
    if (this.#saved === 'saving' || this.#saved === 'saved') this.#is('nothing');
  }

  /** The draft is sent: a tab that waits may go on. */
  async sent(): Promise<void> {
    await this.clear();
    this.#released = true;
    this.#lock.release();
  }

  /** The form begins anew, after `sent`. */
  again() {
    if (!this.#released) return;
    this.#released = false;
    this.#how = 'opened';
    if (this.#store && this.#tab !== 'unknown') this.#lock.ask();
  }

  close = () => this.#lock.close();

  #stopClock() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** One after the other, so that an older copy never lands on a newer one. True when it was done. */
  #act(work: (store: DraftStore) => Promise<void> | undefined): Promise<boolean> {
    const done = this.#writing.then(async () => {
      if (!this.#store) return false;
      await work(this.#store);
      return true;
    });
    const told = done.catch((error) => {
      this.#failed(error);
      return false;
    });
    this.#writing = told;
    return told;
  }

  #failed(error: unknown) {
    console.warn('This device keeps no copy:', messageOf(error, words.processingFailed));
    this.#is('impossible');
  }

  #is(saved: Saved) {
    if (this.#saved === saved) return;
    this.#saved = saved;
    this.#form.show({ saved });
  }

  #stands(tab: FormState['tab']) {
    this.#tab = tab;
    this.#form.show({ tab });
  }
}

const idsIn = ({ media }: Submission) => locatedIn(media).map(({ id }) => id);

const nothing = (draft: Draft) => ({ draft, taken: [], aside: [] });
