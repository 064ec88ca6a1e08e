import { Semaphore } from '../../backend/http/semaphore.ts';
import type { Stored } from '../files.ts';
import type { AnswerCache } from './answer-cache.ts';

/** Pages that are made at once: each asks the database five times at most, and together they find room in its queue. */
const AT_ONCE = 32;
/** How long a page waits for its turn, milliseconds: a line that moves is no reason to send anybody away. */
const PATIENCE_MS = 30_000;

/** Answers under way, so that all who ask for one while it is made get that one. */
export class SharedAnswers {
  readonly #cache: AnswerCache;
  readonly #underWay = new Map<string, { generation: number; answer: Promise<Stored | null> }>();

  constructor(cache: AnswerCache) {
    this.#cache = cache;
  }

  /**
   * The answer under way for a key; null when there is none, or when something shown has changed since it was begun: who
   * asks now may have seen the change. It resolves to null when it turns out to be for its own reader alone.
   */
  find(key: string): Promise<Stored | null> | null {
    const found = this.#underWay.get(key);
    return found && found.generation === this.#cache.generation ? found.answer : null;
  }

  /** Announces an answer that is being made from now on. The caller tells how it ends. */
  begin(key: string): (answer: Stored | null) => void {
    const { generation } = this.#cache;
    if (generation === null) return () => {};
    const { promise, resolve } = Promise.withResolvers<Stored | null>();
    const own = { generation, answer: promise };
    this.#underWay.set(key, own);
    return (answer) => {
      if (this.#underWay.get(key) === own) this.#underWay.delete(key);
      resolve(answer);
    };
  }
}

/** The places in which pages are made. A crowd waits for one, first come, first served. */
export class PagePlaces {
  readonly #places = new Semaphore(AT_ONCE, { waitMs: PATIENCE_MS });

  /** Runs `make` when a place is free; answers null when none became free in time. */
  async run<T>(make: () => Promise<T>): Promise<T | null> {
    if (!(await this.#places.acquire())) return null;
    try {
      return await make();
    } finally {
      this.#places.release();
    }
  }
}
