import { errors } from './errors.ts';

/**
 * Lets so many jobs run at once. Whoever waits is served in turn, one job for each, so that somebody with many keeps
 * nobody waiting for more than the one at hand.
 */
export class Slots {
  readonly #lines = new Map<string, (() => void)[]>();
  readonly #atOnce: number;
  readonly #most: number;
  #running = 0;

  /** @param most jobs of one that may wait; with more they are told to come back */
  constructor(atOnce: number, most: number) {
    this.#atOnce = atOnce;
    this.#most = most;
  }

  /**
   * @param who an address, usually
   * @throws SlowDown (503) when too many of theirs wait already
   */
  async run<T>(who: string, job: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#turn(who);
    else this.#running++;
    try {
      return await job();
    } finally {
      this.#next();
    }
  }

  async #turn(who: string): Promise<void> {
    const line = this.#lines.get(who) ?? [];
    if (line.length >= this.#most) throw errors.busy();
    this.#lines.set(who, line);
    await new Promise<void>((go) => line.push(go));
  }

  #next(): void {
    const [first] = this.#lines;
    if (!first) {
      this.#running--;
      return;
    }
    const [who, line] = first;
    const go = line.shift()!;
    // To the end of the round.
    this.#lines.delete(who);
    if (line.length) this.#lines.set(who, line);
    go();
  }
}
