const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

/** By a request to the server: `navigator.onLine` is true behind captive portals and while our server is down. */
export class NetworkWatch {
  readonly #isReached: () => Promise<boolean>;
  readonly #onChecked: (isReached: boolean) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks = 0;
  #active: AbortController | null = null;

  constructor(isReached: () => Promise<boolean>, onChecked: (isReached: boolean) => void) {
    this.#isReached = isReached;
    this.#onChecked = onChecked;
  }

  setActive(isNeeded: boolean): void {
    if (isNeeded === (this.#active !== null)) return;
    this.#active?.abort();
    clearTimeout(this.#timer);
    this.#active = isNeeded ? new AbortController() : null;
    if (!this.#active) return;
    this.#checks = 0;
    const { signal } = this.#active;
    addEventListener('online', () => void this.check(), { signal });
    const checkWhenVisible = () => document.visibilityState === 'visible' && void this.check();
    document.addEventListener('visibilitychange', checkWhenVisible, { signal });
    this.#checkLater();
  }

  #checkLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), PAUSES_MS[this.#checks++] ?? PAUSES_MS.at(-1));
  }

  async check(): Promise<void> {
    const active = this.#active;
    if (!active) return;
    clearTimeout(this.#timer);
    const isReached = await this.#isReached();
    if (this.#active !== active) return;
    if (isReached) this.setActive(false);
    else this.#checkLater();
    this.#onChecked(isReached);
  }
}
