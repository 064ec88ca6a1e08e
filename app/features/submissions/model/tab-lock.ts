import { newId } from '#lib/data/ids.ts';

/** How long the previous page of the same tab may take to release the lock before another tab is reported, in ms. */
const HANDOVER = 250;
/** The same after a known reload, where a late report would shift the layout. */
const RELOADING = 700;

/** How often, and after how many ms, to check whether a closing tab is gone. */
const LOOKS = 4;
const LOOK_AFTER = 100;

export interface TabLockEvents {
  onTurn: () => void;
  onElsewhere: () => void;
  /** Another tab took the lock; this one waits from now on. */
  onTaken: () => void;
}

/** Which tabs may edit a draft, and which are open. Web Locks are released when a tab closes or crashes. */
export class TabLock {
  readonly id = newId();
  readonly #name: string;
  readonly #events: TabLockEvents;
  #end = () => {};
  #letGo = () => {};

  constructor(name: string, events: TabLockEvents) {
    this.#name = name;
    this.#events = events;
  }

  /** Registers this tab. False without Web Locks: on plain http, or blocked by settings. */
  open(): Promise<boolean> {
    if (!navigator.locks) return Promise.resolve(false);
    return new Promise((resolve) => {
      const held = () => {
        resolve(true);
        return new Promise<void>((end) => {
          this.#end = end;
        });
      };
      // On a slow page this only waits longer: no other tab requests this name.
      navigator.locks.request(this.#nameOf(this.id), held).catch(() => resolve(false));
    });
  }

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
        // Slow is not taken: a busy page may get the lock seconds after requesting it.
        if (!granted && !waiting.signal.aborted && (await this.holder())) return this.#events.onElsewhere();
      }
    })();
  }

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

  release() {
    this.#letGo();
  }

  close() {
    this.#letGo();
    this.#end();
  }

  /** A closing tab releases the lock slightly before it counts as closed. */
  async settled(): Promise<void> {
    for (let looks = 0; looks < LOOKS && (await this.alive()).size > 1; looks++)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER));
  }

  /** The open tabs, including this one. */
  async alive(): Promise<Set<string>> {
    return new Set((await this.#held()).flatMap(({ tab }) => tab ?? []));
  }

  /** The other tab that holds the lock, or null. */
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
