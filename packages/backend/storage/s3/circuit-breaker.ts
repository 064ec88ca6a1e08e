import { StoreUnavailable } from '../store.ts';

const MAX_FAILURES = 10;
const PROBE_INTERVAL_MS = 1_000;

/** Circuit breaker: after ten consecutive failures it opens and sends a probe every second, even if one is pending. */
export class CircuitBreaker {
  readonly #probe: () => Promise<void>;
  #failures = 0;
  #openReason: StoreUnavailable | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** @throws StoreUnavailable while it is open */
  requireClosed(): void {
    if (this.#openReason) throw this.#openReason;
  }

  recordSuccess(): void {
    this.#failures = 0;
  }

  recordFailure(reason: StoreUnavailable): void {
    if (++this.#failures >= MAX_FAILURES) this.open(reason);
  }

  open(reason: StoreUnavailable): void {
    this.#openReason = reason;
    this.#timer ??= setInterval(() => void this.#runProbe(), PROBE_INTERVAL_MS).unref();
  }

  isOpen(): boolean {
    return this.#openReason !== null;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #runProbe(): Promise<void> {
    try {
      await this.#probe();
      this.close();
      this.#timer = undefined;
      this.#failures = 0;
      this.#openReason = null;
    } catch (error) {
      if (this.#openReason && error instanceof StoreUnavailable) this.#openReason = error;
    }
  }
}
