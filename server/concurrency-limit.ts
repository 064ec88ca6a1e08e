import { Semaphore, shareOf } from '../packages/backend/http/semaphore.ts';

const PER_ADDRESS = 32;
const MIN_PER_ADDRESS = 8;
const TOTAL = 256;
const WAIT_MS = 2_000;

/** A slot is held from the complete body to the start of the response, so slow clients hold none (threat model §8). */
export class ConcurrencyLimit {
  readonly #byAddress = new Map<string, number>();
  readonly #perAddress: number;
  readonly #slots: Semaphore;

  constructor(workers = 1) {
    this.#perAddress = shareOf(PER_ADDRESS, workers, MIN_PER_ADDRESS);
    this.#slots = new Semaphore(shareOf(TOTAL, workers), { waitMs: WAIT_MS });
  }

  /** Waits a while when no slot is free. @returns releases the slot, or the status of a rejection */
  async acquire(address: string): Promise<(() => void) | 429 | 503> {
    if ((this.#byAddress.get(address) ?? 0) >= this.#perAddress) return 429;
    this.#count(address, 1);
    if (!(await this.#slots.acquire())) {
      this.#count(address, -1);
      return 503;
    }
    return () => this.#release(address);
  }

  take(address: string): () => void {
    this.#count(address, 1);
    this.#slots.take();
    return () => this.#release(address);
  }

  #release(address: string): void {
    this.#count(address, -1);
    this.#slots.release();
  }

  #count(address: string, change: 1 | -1): void {
    const count = (this.#byAddress.get(address) ?? 0) + change;
    if (count === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count);
  }
}
