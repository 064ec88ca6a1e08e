import { shareOf } from '../packages/backend/http/semaphore.ts';

const PER_ADDRESS = 64;
/** Bytes; makes a transfer that just began count as fast. */
const HEAD_START_BYTES = 4 * 1024;

export interface Transfer {
  address: string;
  moved: () => number;
  isLate?: (ageMs: number, moved: number) => boolean;
  end: () => void;
}

type ActiveTransfer = Transfer & { since: number };

const ageOf = ({ since }: ActiveTransfer) => performance.now() - since;
const speedOf = (transfer: ActiveTransfer) => (transfer.moved() + HEAD_START_BYTES) / ageOf(transfer);

/** Above the limits the slowest transfer is ended, not the newest (threat model §8). */
export class Transfers {
  readonly #perAddress: number;
  readonly #total: number;
  readonly #active = new Set<ActiveTransfer>();

  constructor(workers = 1) {
    this.#perAddress = shareOf(PER_ADDRESS, workers, 16);
    this.#total = shareOf(512, workers);
  }

  add(transfer: Transfer): () => void {
    const ofAddress = [...this.#active].filter(({ address }) => address === transfer.address);
    if (ofAddress.length >= this.#perAddress) this.#endTop(ofAddress, (one) => -speedOf(one));
    else if (this.#active.size >= this.#total) this.#endTop([...this.#active], (one) => -speedOf(one));
    const active = { ...transfer, since: performance.now() };
    this.#active.add(active);
    return () => void this.#active.delete(active);
  }

  endLate(): void {
    for (const one of [...this.#active]) if (one.isLate?.(ageOf(one), one.moved())) this.#end(one);
  }

  /** Ends the one with the most held bytes × time. */
  endHeaviest(): void {
    this.#endTop([...this.#active], (one) => one.moved() * ageOf(one));
  }

  #endTop(candidates: readonly ActiveTransfer[], measure: (one: ActiveTransfer) => number): void {
    const [first, ...others] = candidates.map((one) => ({ one, size: measure(one) }));
    if (first) this.#end(others.reduce((largest, next) => (next.size > largest.size ? next : largest), first).one);
  }

  #end(transfer: ActiveTransfer): void {
    this.#active.delete(transfer);
    transfer.end();
  }
}
