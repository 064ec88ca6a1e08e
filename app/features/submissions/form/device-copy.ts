import { type Draft, type DraftStore, NEW_SUBMISSION, openDraftStore } from '#features/drafts/model/draft.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { gather, isSame } from '../model/merge-drafts.ts';
import { locatedIn, type Submission } from '../model/submission.ts';
import { TabLock } from '../model/tab-lock.ts';
import { submissionWords as words } from '../words/submission.ts';
import type { FormState, Saved } from './form-state.ts';
import type { FormStore } from './form-store.ts';

const SAVE_AFTER = 400;

export type Arrival = 'opened' | 'closed' | 'taken';

export interface CopyEvents {
  bring: (draft: Draft, files: Map<string, File>, how: Arrival) => void;
  part: (from: Submission) => void;
}

/** Saved after changes and merged with the copies of closed tabs (docs/decisions/033). Never throws. */
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
  #how: Arrival = 'opened';
  #from: string | null = null;
  #written: Submission | null = null;
  #released = false;
  readonly #unkept = new Set<string>();

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

  async open(): Promise<void> {
    const opening = this.#open();
    // Files chosen in the meantime are stored once the store is open.
    this.#writing = opening;
    if (await opening) return this.#lock.ask();
    if (!this.#store) return;
    this.#stands('unknown');
    await this.#gather();
  }

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
    // This tab's own copy from before a reload.
    await this.#gather();
    this.#how = 'closed';
  }

  /** Another tab has read this copy and continues it: later input stays here. */
  async #taken(): Promise<void> {
    this.#stands('elsewhere');
    this.#how = 'closed';
    this.#events.part(this.#written ?? this.#form.held().submission);
    await this.write();
  }

  async writeHere(): Promise<void> {
    this.#from = await this.#lock.holder();
    this.#how = 'taken';
    this.#lock.take();
  }

  async look(): Promise<void> {
    if (!this.#store || this.#tab === 'elsewhere' || this.#released) return;
    await this.#lock.settled();
    await this.#gather(false);
  }

  /** Merges the copies of closed tabs. @param known includes copies kept aside before */
  #gather(known = true): Promise<boolean> {
    return this.#act(async (store) => {
      const copies = await store.read();
      // Queried after reading: the writer of a copy was open before.
      const alive = await this.#lock.alive();
      const here = this.#tab !== 'elsewhere';
      const gone = [...copies].filter(([tab]) => tab !== this.#lock.id && (tab === this.#from || !alive.has(tab)));
      const others = gone.filter(([, { aside }]) => !aside || (known && here));
      const files = await store.files(others.flatMap(([, { submission }]) => idsIn(submission)));
      // Synchronous from here, so that no input comes between reading and updating the form.
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

  /** The first change starts the timer, so that continuous typing is saved too. */
  changed() {
    if (this.#saved !== 'impossible') this.#is('saving');
    this.#timer ??= setTimeout(() => void this.write(), SAVE_AFTER);
  }

  async write(): Promise<void> {
    this.#stopClock();
    const written = await this.#act(this.#put);
    if (written && this.#timer === undefined && this.#saved !== 'nothing') this.#is('saved');
  }

  /** Saves pending changes synchronously, because a closing page runs no later tasks. */
  flush() {
    if (this.#timer === undefined) return;
    if (this.#store) this.#put(this.#store)?.catch((error) => this.#failed(error));
    // The page may survive, and a queued task may remove the copy.
    void this.write();
  }

  get flushes(): boolean {
    return this.#store !== null && this.#saved !== 'impossible';
  }

  #put = (store: DraftStore): Promise<void> | undefined => {
    const held = this.#form.held();
    // Another tab has everything.
    if (held.parted && isSame(held.submission, held.parted)) return;
    this.#written = held.submission;
    return store.write(this.#lock.id, { ...held, savedAt: Date.now(), aside: false });
  };

  /** A file that cannot be stored is reported; the rest is still stored. */
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

  async sent(): Promise<void> {
    await this.clear();
    this.#released = true;
    this.#lock.release();
  }

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

  /** Serialises writes, so that an older copy never overwrites a newer one. @returns whether it succeeded */
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
