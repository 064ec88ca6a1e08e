import { shareOf } from '../backend/http/semaphore.ts';

const PER_ADDRESS = 64;
/** Of several processes each leaves an address so many. */
const LEAST_PER_ADDRESS = 16;
const IN_ALL = 512;
/** Lets somebody who has just begun count as fast, bytes. */
const HEAD_START = 4 * 1024;

/** Bytes on their way to us or from us. How fast they move is up to the other side. */
export interface Transfer {
  /** What counts as one visitor. */
  address: string;
  /** Bytes that came through since it began. */
  moved: () => number;
  /** Whether it takes too long. */
  isLate?: (ageMs: number, moved: number) => boolean;
  /** Ends it for good. */
  end: () => void;
}

interface Running extends Transfer {
  since: number;
}

const ageOf = ({ since }: Running) => performance.now() - since;
const speedOf = (transfer: Running) => (transfer.moved() + HEAD_START) / ageOf(transfer);

/** Transfers in one direction. Past its limits the slowest is ended and not whoever comes next (threat model §8). */
export class Transfers {
  readonly #perAddress: number;
  readonly #inAll: number;
  readonly #running = new Set<Running>();

  /** @param workers how many processes share the limits */
  constructor(workers = 1) {
    this.#perAddress = shareOf(PER_ADDRESS, workers, LEAST_PER_ADDRESS);
    this.#inAll = shareOf(IN_ALL, workers);
  }

  /** @returns what to call when it is over */
  add(transfer: Transfer): () => void {
    const ofAddress = [...this.#running].filter(({ address }) => address === transfer.address);
    if (ofAddress.length >= this.#perAddress) this.#endMost(ofAddress, (one) => -speedOf(one));
    else if (this.#running.size >= this.#inAll) this.#endMost([...this.#running], (one) => -speedOf(one));
    const running = { ...transfer, since: performance.now() };
    this.#running.add(running);
    return () => void this.#running.delete(running);
  }

  /** Ends those that take too long. */
  endLate(): void {
    for (const one of [...this.#running]) if (one.isLate?.(ageOf(one), one.moved())) this.#end(one);
  }

  /** Ends the one that has held most bytes for longest. */
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
