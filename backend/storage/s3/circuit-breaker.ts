import { StoreAway } from '../store.ts';

const MOST_FAILURES = 10;
const PROBE_EVERY_MS = 1_000;

/** Circuit breaker: after ten consecutive failures it opens and sends a probe every second, even if one is pending. */
export class Circuit {
  readonly #probe: () => Promise<void>;
  #failures = 0;
  #open: StoreAway | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** @throws StoreAway while it is open */
  pass(): void {
    if (this.#open) throw this.#open;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(reason: StoreAway): void {
    if (++this.#failures >= MOST_FAILURES) this.open(reason);
  }

  open(reason: StoreAway): void {
    this.#open = reason;
    this.#timer ??= setInterval(() => void this.#tryAgain(), PROBE_EVERY_MS).unref();
  }

  isOpen(): boolean {
    return this.#open !== null;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #tryAgain(): Promise<void> {
    try {
      await this.#probe();
      this.close();
      this.#timer = undefined;
      this.#failures = 0;
      this.#open = null;
    } catch (error) {
      if (this.#open && error instanceof StoreAway) this.#open = error;
    }
  }
}
