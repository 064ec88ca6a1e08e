export const shareOf = (places: number, workers: number, least = 1): number =>
  Math.max(least, Math.ceil(places / workers));

/** Limits concurrency. Waiting callers are served round-robin by `who`, so that one with many jobs blocks no others. */
export class Semaphore {
  readonly #places: number;
  readonly #waitMs: number;
  readonly #mostWaiting: number;
  readonly #lines = new Map<string, (() => void)[]>();
  #taken = 0;

  constructor(places: number, { waitMs = Number.POSITIVE_INFINITY, mostWaiting = Number.POSITIVE_INFINITY } = {}) {
    this.#places = places;
    this.#waitMs = waitMs;
    this.#mostWaiting = mostWaiting;
  }

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

  /** Occupies a slot even above the limit, for work that can no longer be refused. */
  take(): void {
    this.#taken++;
  }

  release(): void {
    const [first] = this.#taken > this.#places ? [] : this.#lines;
    if (!first) {
      this.#taken--;
      return;
    }
    const [who, line] = first;
    const go = line.shift()!;
    this.#lines.delete(who);
    if (line.length) this.#lines.set(who, line);
    go();
  }

  async run<T>(job: () => Promise<T>, refusal: () => Error, who?: string): Promise<T> {
    if (!(await this.acquire(who))) throw refusal();
    try {
      return await job();
    } finally {
      this.release();
    }
  }
}
