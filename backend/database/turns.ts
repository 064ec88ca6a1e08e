import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailable } from './database.ts';

export interface TurnLimits {
  /** How many may hold a turn at once: the sessions there are. */
  sessions: number;
  /** How many may wait; one more is refused at once. */
  waiting: number;
  /** How long one may wait, milliseconds; asked each time when it changes. */
  waitMs: number | (() => number);
}

interface Waiting {
  start: () => void;
  timer: NodeJS.Timeout;
}

/** Hands out database sessions first come, first served, and refuses rather than letting a line grow without end. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #line: Waiting[] = [];
  /** Set while a turn is held, for whatever is called from it. */
  readonly #holder = new AsyncLocalStorage<{ over: boolean }>();
  #held = 0;
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Runs `work` when its turn comes. @throws DatabaseUnavailable when the line is full, the wait too long, or the database closed */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holder.getStore()?.over === false)
      throw new Error('The database was asked from inside a transaction: use the connection that the work was given');
    await this.#take();
    const turn = { over: false };
    try {
      return await this.#holder.run(turn, work);
    } finally {
      turn.over = true;
      this.#release();
    }
  }

  /** Lets no one in any more, and resolves when the last turn is over. Those in line still get theirs. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#held > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  async #take(): Promise<void> {
    if (this.#closed) throw new DatabaseUnavailable('The database is closed');
    if (this.#held < this.#limits.sessions) {
      this.#held++;
      return;
    }
    if (this.#line.length >= this.#limits.waiting)
      throw new DatabaseUnavailable(`${this.#limits.waiting} requests already wait for the database`);
    const { waitMs } = this.#limits;
    const patience = typeof waitMs === 'number' ? waitMs : waitMs();
    await new Promise<void>((start, refuse) => {
      const timer = setTimeout(() => {
        this.#line.splice(this.#line.indexOf(waiting), 1);
        refuse(new DatabaseUnavailable(`No database session came free within ${patience} ms`));
      }, patience);
      const waiting: Waiting = { start, timer };
      this.#line.push(waiting);
    });
  }

  #release(): void {
    const next = this.#line.shift();
    if (next) {
      clearTimeout(next.timer);
      next.start();
      return;
    }
    this.#held--;
    if (this.#held === 0) this.#idle?.();
  }
}
