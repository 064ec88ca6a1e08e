export const shareOf = (places: number, workers: number, minimum = 1): number =>
  Math.max(minimum, Math.ceil(places / workers));

/** Limits concurrency. Waiting callers are served round-robin by `who`, so that one with many jobs blocks no others. */
export class Semaphore {
  readonly #slots: number;
  readonly #waitMs: number;
  readonly #maxWaiting: number;
  readonly #queues = new Map<string, (() => void)[]>();
  #inUse = 0;

  constructor(places: number, { waitMs = Number.POSITIVE_INFINITY, maxWaiting = Number.POSITIVE_INFINITY } = {}) {
    this.#slots = places;
    this.#waitMs = waitMs;
    this.#maxWaiting = maxWaiting;
  }

  async acquire(client = ''): Promise<boolean> {
    if (this.#inUse < this.#slots) {
      this.#inUse++;
      return true;
    }
    const queue = this.#queues.get(client) ?? [];
    if (queue.length >= this.#maxWaiting) return false;
    this.#queues.set(client, queue);
    return new Promise((resolve) => {
      const next = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const onTimeout = () => {
        queue.splice(queue.indexOf(next), 1);
        if (queue.length === 0) this.#queues.delete(client);
        resolve(false);
      };
      const timer = Number.isFinite(this.#waitMs) ? setTimeout(onTimeout, this.#waitMs) : undefined;
      queue.push(next);
    });
  }

  /** Occupies a slot even above the limit, for work that can no longer be refused. */
  take(): void {
    this.#inUse++;
  }

  release(): void {
    const [first] = this.#inUse > this.#slots ? [] : this.#queues;
    if (!first) {
      this.#inUse--;
      return;
    }
    const [client, queue] = first;
    const resume = queue.shift()!;
    this.#queues.delete(client);
    if (queue.length) this.#queues.set(client, queue);
    resume();
  }

  async run<T>(job: () => Promise<T>, refusal: () => Error, client?: string): Promise<T> {
    if (!(await this.acquire(client))) throw refusal();
    try {
      return await job();
    } finally {
      this.release();
    }
  }
}
