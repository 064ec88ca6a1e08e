/** So many places at once; whoever finds none waits, first come, first served, but not for ever. */
export class Semaphore {
  readonly #places: number;
  readonly #patienceMs: number;
  readonly #line: (() => void)[] = [];
  #taken = 0;

  constructor(places: number, patienceMs: number) {
    this.#places = places;
    this.#patienceMs = patienceMs;
  }

  /** Whether a place is the caller's; false when none became free in time. */
  async acquire(): Promise<boolean> {
    if (this.#taken < this.#places) {
      this.#taken++;
      return true;
    }
    return new Promise((resolve) => {
      const next = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#line.splice(this.#line.indexOf(next), 1);
        resolve(false);
      }, this.#patienceMs);
      this.#line.push(next);
    });
  }

  /** Takes a place whether one is free or not, for what is too late to refuse. */
  take(): void {
    this.#taken++;
  }

  /** Gives a place to whoever waits longest, once no more are taken than there are. */
  release(): void {
    const next = this.#taken > this.#places ? undefined : this.#line.shift();
    if (next) next();
    else this.#taken--;
  }
}
