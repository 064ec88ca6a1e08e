import { Semaphore } from '../../packages/backend/http/semaphore.ts';
import type { Stored } from '../files.ts';
import type { ResponseCache } from './response-cache.ts';

/** Concurrent page renders: each sends at most five queries, and together they fit into the database's queue. */
const MAX_RENDERS = 32;

/** Request coalescing: concurrent requests for a key share one response. */
export class SharedResponses {
  readonly #cache: ResponseCache;
  readonly #pending = new Map<string, { generation: number; response: Promise<Stored | null> }>();

  constructor(cache: ResponseCache) {
    this.#cache = cache;
  }

  /** Null also when data changed since it began: the client may know the change. Resolves to null if it is private. */
  find(key: string): Promise<Stored | null> | null {
    const entry = this.#pending.get(key);
    return entry && entry.generation === this.#cache.generation ? entry.response : null;
  }

  begin(key: string): (response: Stored | null) => void {
    const { generation } = this.#cache;
    if (generation === null) return () => {};
    const { promise, resolve } = Promise.withResolvers<Stored | null>();
    const entry = { generation, response: promise };
    this.#pending.set(key, entry);
    return (response) => {
      if (this.#pending.get(key) === entry) this.#pending.delete(key);
      resolve(response);
    };
  }
}

export class RenderSlots {
  readonly #slots = new Semaphore(MAX_RENDERS, { waitMs: 30_000 });

  async run<T>(render: () => Promise<T>): Promise<T | null> {
    if (!(await this.#slots.acquire())) return null;
    try {
      return await render();
    } finally {
      this.#slots.release();
    }
  }
}
