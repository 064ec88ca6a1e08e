import { Semaphore, shareOf } from '../packages/backend/http/semaphore.ts';

const PER_ADDRESS = 32;

/** A slot is held from the complete body to the start of the response, so slow clients hold none (threat model §8). */
export class ConcurrencyLimit {
  readonly #byAddress = new Map<string, number>();
  readonly #perAddress: number;
  readonly #slots: Semaphore;

  constructor(workers = 1) {
    this.#perAddress = shareOf(PER_ADDRESS, workers, 8);
    this.#slots = new Semaphore(shareOf(256, workers), { waitMs: 2_000 });
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
