/** What one of several processes takes of the places that a machine has, and at least `least` of them. */
export const shareOf = (places: number, workers: number, least = 1): number =>
  Math.max(least, Math.ceil(places / workers));

/**
 * So many places at once. Who finds none waits: all who wait are served in turn, one place for each, so that somebody with
 * many keeps nobody waiting for more than the one at hand.
 */
export class Semaphore {
  readonly #places: number;
  readonly #waitMs: number;
  readonly #mostWaiting: number;
  readonly #lines = new Map<string, (() => void)[]>();
  #taken = 0;

  /**
   * @param waitMs how long anybody waits
   * @param mostWaiting how many of one may wait
   */
  constructor(places: number, { waitMs = Number.POSITIVE_INFINITY, mostWaiting = Number.POSITIVE_INFINITY } = {}) {
    this.#places = places;
    this.#waitMs = waitMs;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Whether a place is the caller's; false when none became free in time, or too many of theirs wait already.
   * @param who an address, usually; left out, all wait in one line
   */
  async acquire(who = ''): Promise<boolean> {
    if (this.#taken < this.#places) {
      this.#taken++;
      return true;
    }
    const line = this.#lines.get(who) ?? [];
    if (line.length >= this.#mostWaiting) return false;
    this.#lines.set(who, line);
    return new Promise((resolve) => {
      const next = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const giveUp = () => {
        line.splice(line.indexOf(next), 1);
        if (line.length === 0) this.#lines.delete(who);
        resolve(false);
      };
      const timer = Number.isFinite(this.#waitMs) ? setTimeout(giveUp, this.#waitMs) : undefined;
      line.push(next);
    });
  }

  /** Takes a place whether one is free or not, for what is too late to refuse. */
  take(): void {
    this.#taken++;
  }

  /** Gives a place to whose turn it is, once no more are taken than there are. */
  release(): void {
    const [first] = this.#taken > this.#places ? [] : this.#lines;
    if (!first) {
      this.#taken--;
      return;
    }
    const [who, line] = first;
    const go = line.shift()!;
    // To the end of the round.
    this.#lines.delete(who);
    if (line.length) this.#lines.set(who, line);
    go();
  }

  /** @throws what `refusal` makes when there is no place */
  async run<T>(job: () => Promise<T>, refusal: () => Error, who?: string): Promise<T> {
    if (!(await this.acquire(who))) throw refusal();
    try {
      return await job();
    } finally {
      this.release();
    }
  }
}
