import { shareOf } from '../backend/http/semaphore.ts';

const PER_ADDRESS = 64;
const LEAST_PER_ADDRESS = 16;
const IN_ALL = 512;
/** Bytes; makes a transfer that just began count as fast. */
const HEAD_START = 4 * 1024;

export interface Transfer {
  address: string;
  moved: () => number;
  isLate?: (ageMs: number, moved: number) => boolean;
  end: () => void;
}

interface Running extends Transfer {
  since: number;
}

const ageOf = ({ since }: Running) => performance.now() - since;
const speedOf = (transfer: Running) => (transfer.moved() + HEAD_START) / ageOf(transfer);

/** Above the limits the slowest transfer is ended, not the newest (threat model §8). */
export class Transfers {
  readonly #perAddress: number;
  readonly #inAll: number;
  readonly #running = new Set<Running>();

  constructor(workers = 1) {
    this.#perAddress = shareOf(PER_ADDRESS, workers, LEAST_PER_ADDRESS);
    this.#inAll = shareOf(IN_ALL, workers);
  }

  add(transfer: Transfer): () => void {
    const ofAddress = [...this.#running].filter(({ address }) => address === transfer.address);
    if (ofAddress.length >= this.#perAddress) this.#endMost(ofAddress, (one) => -speedOf(one));
    else if (this.#running.size >= this.#inAll) this.#endMost([...this.#running], (one) => -speedOf(one));
    const running = { ...transfer, since: performance.now() };
    this.#running.add(running);
    return () => void this.#running.delete(running);
  }

  endLate(): void {
    for (const one of [...this.#running]) if (one.isLate?.(ageOf(one), one.moved())) this.#end(one);
  }

  /** Ends the one with the most held bytes × time. */
  endHeaviest(): void {
    this.#endMost([...this.#running], (one) => one.moved() * ageOf(one));
  }

  #endMost(among: readonly Running[], measure: (one: Running) => number): void {
    const [first, ...others] = among.map((one) => ({ one, size: measure(one) }));
    if (first) this.#end(others.reduce((most, next) => (next.size > most.size ? next : most), first).one);
  }

  #end(transfer: Running): void {
    this.#running.delete(transfer);
    transfer.end();
  }
}
