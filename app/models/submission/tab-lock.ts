import { newId } from '../data/ids.ts';

/** How long the page before this one in the same tab may take to let go, before people are told of another tab, in ms. */
const HANDOVER = 250;
/** The same where it is known that there was one: telling late moves what people see. */
const RELOADING = 700;

/** How long a tab that ends is given to be gone: so many looks, so many ms apart. */
const LOOKS = 4;
const LOOK_AFTER = 100;

export interface TabLockEvents {
  /** It is this tab's turn. */
  onTurn: () => void;
  /** Another tab has the turn; this one waits for it. */
  onElsewhere: () => void;
  /** Another tab took the turn from this one, which waits for it from now on. */
  onTaken: () => void;
}

/**
 * Which of this browser's tabs has the turn with one draft, and which of them are alive. A tab that is closed, reloaded or
 * crashes lets go of everything by itself.
 */
export class TabLock {
  /** Names this tab for as long as its page lives. */
  readonly id = newId();
  readonly #name: string;
  readonly #events: TabLockEvents;
  /** Ends the tab's own sign of life. */
  #end = () => {};
  /** Lets go of the turn, or stops waiting for it. */
  #letGo = () => {};

  constructor(name: string, events: TabLockEvents) {
    this.#name = name;
    this.#events = events;
  }

  /** Shows that this tab is alive. False where the browser does not tell about tabs: over plain http, or by its settings. */
  open(): Promise<boolean> {
    if (!navigator.locks) return Promise.resolve(false);
    return new Promise((resolve) => {
      const held = () => {
        resolve(true);
        return new Promise<void>((end) => {
          this.#end = end;
        });
      };
      // A slow page only waits longer: nobody else asks for this name.
      navigator.locks.request(this.#nameOf(this.id), held).catch(() => resolve(false));
    });
  }

  /** Waits for the turn, for as long as it takes. */
  ask() {
    const waiting = new AbortController();
    let granted = false;
    this.#letGo = () => waiting.abort();
    this.#hold({ signal: waiting.signal }, () => {
      granted = true;
    });
    void (async () => {
      while (!granted && !waiting.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, isReloaded() ? RELOADING : HANDOVER));
        // Late is not taken: a busy page may get the turn seconds after it asked for it.
        if (!granted && !waiting.signal.aborted && (await this.holder())) return this.#events.onElsewhere();
      }
    })();
  }

  /** Takes the turn from the tab that has it. */
  take() {
    this.#letGo();
    this.#hold({ steal: true });
  }

  #hold(options: LockOptions, onGranted = () => {}) {
    let held = false;
    navigator.locks
      .request(this.#name, options, () => {
        held = true;
        onGranted();
        this.#events.onTurn();
        return new Promise<void>((letGo) => {
          this.#letGo = letGo;
        });
      })
      .catch(() => {
        if (!held) return;
        this.#events.onTaken();
        this.ask();
      });
  }

  /** Lets go of the turn, or stops waiting for it; the tab is still alive. */
  release() {
    this.#letGo();
  }

  close() {
    this.#letGo();
    this.#end();
  }

  /** A tab that ends lets go of the turn a moment before it counts as gone. */
  async settled(): Promise<void> {
    for (let looks = 0; looks < LOOKS && (await this.alive()).size > 1; looks++)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER));
  }

  /** The tabs that are alive, this one among them. */
  async alive(): Promise<Set<string>> {
    return new Set((await this.#held()).flatMap(({ tab }) => tab ?? []));
  }

  /** The other tab that has the turn; null when nobody has it. */
  async holder(): Promise<string | null> {
    const held = await this.#held();
    const owner = held.find(({ name }) => name === this.#name)?.clientId;
    return held.find(({ tab, clientId }) => tab && tab !== this.id && clientId === owner)?.tab ?? null;
  }

  async #held() {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    const before = this.#nameOf('');
    return held.map(({ name, clientId }) => ({
      name,
      clientId,
      tab: name?.startsWith(before) ? name.slice(before.length) : null,
    }));
  }

  #nameOf = (tab: string) => `${this.#name} ${tab}`;
}

const isReloaded = () =>
  performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');
