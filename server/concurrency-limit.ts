import { Semaphore, shareOf } from '../backend/http/semaphore.ts';

const PER_ADDRESS = 32;
/** Of several processes each leaves an address as many as a browser opens, and some more. */
const LEAST_PER_ADDRESS = 8;
const IN_ALL = 256;
const WAIT_MS = 2_000;

/**
 * The requests that are being answered, so that one visitor cannot take every place (threat model §8). A request takes
 * its place once its body is complete and gives it back when its answer begins: how fast somebody sends or reads takes
 * nothing away from others.
 */
export class ConcurrencyLimit {
  readonly #byAddress = new Map<string, number>();
  readonly #perAddress: number;
  readonly #places: Semaphore;

  /** @param workers how many processes share the places */
  constructor(workers = 1) {
    this.#perAddress = shareOf(PER_ADDRESS, workers, LEAST_PER_ADDRESS);
    this.#places = new Semaphore(shareOf(IN_ALL, workers), { waitMs: WAIT_MS });
  }

  /**
   * Takes a place, and waits a while when none is free.
   * @returns how to give it back, or the status of a refusal
   */
  async enter(address: string): Promise<(() => void) | 429 | 503> {
    if ((this.#byAddress.get(address) ?? 0) >= this.#perAddress) return 429;
    this.#count(address, 1);
    if (!(await this.#places.acquire())) {
      this.#count(address, -1);
      return 503;
    }
    return () => this.#leave(address);
  }

  /** Takes a place whether one is free or not, for what is too late to refuse. @returns how to give it back */
  take(address: string): () => void {
    this.#count(address, 1);
    this.#places.take();
    return () => this.#leave(address);
  }

  #leave(address: string): void {
    this.#count(address, -1);
    this.#places.release();
  }

  #count(address: string, change: 1 | -1): void {
    const count = (this.#byAddress.get(address) ?? 0) + change;
    if (count === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count);
  }
}
