import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import { tokenInId } from './pending-upload.ts';
import { LEASE_LOST, type UploadLeases } from './upload-leases.ts';

const LOCK_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 200;
const FINISH_GRACE_MS = 1_000;

interface HeldLock {
  requestRelease: () => unknown;
  released: Promise<void>;
  release: () => void;
}

/** One request at a time per upload, across processes. A new request signals the holder to finish and waits for it. */
export class UploadLocks implements Locker {
  readonly #leases: UploadLeases;
  readonly #held = new Map<string, HeldLock>();
  readonly #finishing = new Set<string>();
  constructor(leases: UploadLeases) {
    this.#leases = leases;
  }

  newLock(id: string): Lock {
    const token = tokenInId(id);
    return {
      lock: async (signal, requestRelease) => {
        const deadline = Date.now() + LOCK_TIMEOUT_MS;
        for (let held = this.#held.get(token); held; held = this.#held.get(token)) {
          if (!this.#leases.isPinned(token)) await held.requestRelease();
          const timedOut = sleep(Math.max(0, deadline - Date.now()), true, { signal, ref: false }).catch(() => true);
          if (await Promise.race([held.released.then(() => false), timedOut])) throw LEASE_LOST;
        }
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        this.#held.set(token, { requestRelease, released, release });
        try {
          while (!(await this.#leases.acquire(token, requestRelease))) {
            if (signal.aborted || Date.now() > deadline) throw LEASE_LOST;
            await sleep(RETRY_INTERVAL_MS);
          }
        } catch (error) {
          await this.#release(token);
          throw error;
        }
      },
      unlock: async () => {
        if (!this.#leases.isPinned(token)) return this.#release(token);
        // The library calls the hook immediately, unless the request failed after its last byte.
        setTimeout(() => {
          if (!this.#finishing.has(token)) void this.#release(token).catch(() => {});
        }, FINISH_GRACE_MS).unref();
      },
    };
  }

  async whileFinishing(id: string, work: () => Promise<void>): Promise<void> {
    const token = tokenInId(id);
    this.#finishing.add(token);
    try {
      await work();
    } finally {
      this.#finishing.delete(token);
      await this.#release(token);
    }
  }

  async #release(token: string): Promise<void> {
    await this.#leases.release(token);
    const held = this.#held.get(token);
    this.#held.delete(token);
    held?.release();
  }
}
