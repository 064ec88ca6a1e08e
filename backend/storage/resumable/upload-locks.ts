import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import { tokenOf } from './pending-upload.ts';
import { LOST, type UploadLeases } from './upload-leases.ts';

const PATIENCE_MS = 30_000;
const ASK_AGAIN_MS = 200;
const VERDICT_BEGINS_MS = 1_000;

interface Held {
  askBack: () => unknown;
  freed: Promise<void>;
  free: () => void;
}

/** One request at a time per upload, across processes. A new request signals the holder to finish and waits for it. */
export class UploadLocks implements Locker {
  readonly #leases: UploadLeases;
  readonly #held = new Map<string, Held>();
  readonly #judging = new Set<string>();
  constructor(leases: UploadLeases) {
    this.#leases = leases;
  }

  newLock(id: string): Lock {
    const token = tokenOf(id);
    return {
      lock: async (signal, askBack) => {
        const until = Date.now() + PATIENCE_MS;
        for (let held = this.#held.get(token); held; held = this.#held.get(token)) {
          if (!this.#leases.isKept(token)) await held.askBack();
          const waited = sleep(Math.max(0, until - Date.now()), true, { signal, ref: false }).catch(() => true);
          if (await Promise.race([held.freed.then(() => false), waited])) throw LOST;
        }
        const { promise: freed, resolve: free } = Promise.withResolvers<void>();
        this.#held.set(token, { askBack, freed, free });
        try {
          while (!(await this.#leases.take(token, askBack))) {
            if (signal.aborted || Date.now() > until) throw LOST;
            await sleep(ASK_AGAIN_MS);
          }
        } catch (error) {
          await this.#free(token);
          throw error;
        }
      },
      unlock: async () => {
        if (!this.#leases.isKept(token)) return this.#free(token);
        // The library calls the hook immediately, unless the request failed after its last byte.
        setTimeout(() => {
          if (!this.#judging.has(token)) void this.#free(token).catch(() => {});
        }, VERDICT_BEGINS_MS).unref();
      },
    };
  }

  async whileJudging(id: string, work: () => Promise<void>): Promise<void> {
    const token = tokenOf(id);
    this.#judging.add(token);
    try {
      await work();
    } finally {
      this.#judging.delete(token);
      await this.#free(token);
    }
  }

  async #free(token: string): Promise<void> {
    await this.#leases.release(token);
    const held = this.#held.get(token);
    this.#held.delete(token);
    held?.free();
  }
}
