import { StoreAway } from '../store.ts';

/** Failures in a row after which nobody is asked to wait for another. */
const MOST_FAILURES = 10;
const PROBE_EVERY_MS = 1_000;

/**
 * Spares everybody the wait for a server that is away: after ten failures in a row whoever asks is refused at once, until
 * the server answers a probe. One is sent every second, whether or not those before have been answered.
 */
export class Circuit {
  readonly #probe: () => Promise<void>;
  #failures = 0;
  #open: StoreAway | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param probe resolves when the server is back */
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

  /** Opens it now, or says anew why it is open. */
  open(reason: StoreAway): void {
    this.#open = reason;
    this.#timer ??= setInterval(() => void this.#tryAgain(), PROBE_EVERY_MS).unref();
  }

  isOpen(): boolean {
    return this.#open !== null;
  }

  /** Ends the probes. */
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
      // Unless another probe has been answered meanwhile.
      if (this.#open && error instanceof StoreAway) this.#open = error;
    }
  }
}
