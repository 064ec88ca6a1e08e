/** Delays between checks, in ms. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000, 30_000];

/** `navigator.onLine` is only a hint: it is true behind captive portals and while our server is down. */
export class Line {
  readonly #reached: () => Promise<boolean>;
  readonly #events: { onBack: () => void; onAway: () => void };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looks = 0;
  #broken = false;

  constructor(reached: () => Promise<boolean>, events: { onBack: () => void; onAway: () => void }) {
    this.#reached = reached;
    this.#events = events;
  }

  lost() {
    if (this.#broken) return;
    this.#broken = true;
    this.#looks = 0;
    addEventListener('online', this.look);
    document.addEventListener('visibilitychange', this.#seen);
    this.#later();
  }

  #seen = () => document.visibilityState === 'visible' && void this.look();

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), PAUSES[this.#looks++] ?? PAUSES.at(-1));
  }

  look = async () => {
    if (!this.#broken) return;
    clearTimeout(this.#timer);
    const back = await this.#reached();
    if (!this.#broken) return;
    if (!back) {
      this.#later();
      return this.#events.onAway();
    }
    this.stop();
    this.#events.onBack();
  };

  stop() {
    this.#broken = false;
    clearTimeout(this.#timer);
    removeEventListener('online', this.look);
    document.removeEventListener('visibilitychange', this.#seen);
  }
}
