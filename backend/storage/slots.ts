import { errors } from './errors.ts';

/** Lets so many jobs run at once and so many wait; the rest are told to come back. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  readonly #most: number;
  #running = 0;
  readonly #atOnce: number;
  constructor(atOnce: number, waiting: number) {
    this.#atOnce = atOnce;
    this.#most = waiting;
  }

  /** @throws SlowDown (503) when too many wait already */
  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#most) throw errors.busy();
      await new Promise<void>((go) => this.#waiting.push(go));
    } else this.#running++;
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
