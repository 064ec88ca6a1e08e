import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { errors } from './errors.ts';

/** argon2id with OWASP's first choice: 19 MiB, two passes, one lane. About 40 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_WAITING = 64;

/**
 * Hashes and checks passwords off the main thread, only a few at a time, so that a burst of sign-ins can slow
 * sign-ins but not pages. Past the queue's length callers get 503.
 */
export class PasswordHasher {
  readonly #free = { slots: availableParallelism() > 2 ? 2 : 1 };
  readonly #waiting: (() => void)[] = [];
  readonly #nobody = this.hash('nobody has this password');

  constructor() {
    // Awaited by the first unknown sign-in; a failure before that must not end the process.
    this.#nobody.catch(() => undefined);
  }

  /** @throws ApiError 503 when too many are waiting */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, COST));
  }

  /** Costs the same whether or not there is a hash to compare with. Hashes of another kind never match. */
  async matches(password: string, stored: string | null): Promise<boolean> {
    const known = stored?.startsWith('$argon2') ?? false;
    const against = known ? stored! : await this.#nobody;
    const same = await this.#inTurn(() => verify(against, password));
    return known && same;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free.slots > 0) this.#free.slots--;
    else {
      if (this.#waiting.length >= MAX_WAITING) throw errors.busy();
      await new Promise<void>((resume) => this.#waiting.push(resume));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free.slots++;
    }
  }
}
