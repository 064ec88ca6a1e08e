import { Semaphore } from '../../backend/http/semaphore.ts';
import type { Stored } from '../files.ts';
import type { AnswerCache } from './answer-cache.ts';

/** Concurrent page renders: each sends at most five queries, and together they fit into the database's queue. */
const AT_ONCE = 32;
const PATIENCE_MS = 30_000;

/** Request coalescing: concurrent requests for a key share one response. */
export class SharedAnswers {
  readonly #cache: AnswerCache;
  readonly #underWay = new Map<string, { generation: number; answer: Promise<Stored | null> }>();

  constructor(cache: AnswerCache) {
    this.#cache = cache;
  }

  /** Null also when data changed since it began: the client may know the change. Resolves to null if it is private. */
  find(key: string): Promise<Stored | null> | null {
    const found = this.#underWay.get(key);
    return found && found.generation === this.#cache.generation ? found.answer : null;
  }

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

export class PagePlaces {
  readonly #places = new Semaphore(AT_ONCE, { waitMs: PATIENCE_MS });

  async run<T>(make: () => Promise<T>): Promise<T | null> {
    if (!(await this.#places.acquire())) return null;
    try {
      return await make();
    } finally {
      this.#places.release();
    }
  }
}
