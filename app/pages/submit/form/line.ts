/** Waits between two looks whether the line is back, in ms. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Watches a broken line until it is back. What the browser says about being online is a hint to look, and no answer: it
 * says so in a hotel that wants to be paid first, and while our server is away.
 */
export class Line {
  readonly #reached: () => Promise<boolean>;
  readonly #events: { onBack: () => void; onAway: () => void };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looks = 0;
  #broken = false;

  /** @param reached asks our services for the smallest answer they have */
  constructor(reached: () => Promise<boolean>, events: { onBack: () => void; onAway: () => void }) {
    this.#reached = reached;
    this.#events = events;
  }

  /** Something had no answer. */
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

  /** Looks now, if the line is broken. */
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

  /** Nobody waits for it any more. */
  stop() {
    this.#broken = false;
    clearTimeout(this.#timer);
    removeEventListener('online', this.look);
    document.removeEventListener('visibilitychange', this.#seen);
  }
}
