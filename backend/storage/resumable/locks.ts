import type { Lock, Locker } from '@tus/server';

const PATIENCE_MS = 30_000;

interface Held {
  askBack: () => unknown;
  freed: Promise<void>;
  free: () => void;
}

/** One request at a time per upload. A newcomer asks the holder to finish and sleeps until it did. */
export class UploadLocks implements Locker {
  readonly #held = new Map<string, Held>();

  newLock(id: string): Lock {
    return {
      lock: async (signal, askBack) => {
        const until = Date.now() + PATIENCE_MS;
        for (let held = this.#held.get(id); held; held = this.#held.get(id)) {
          await held.askBack();
          const tooLong = await Promise.race([held.freed.then(() => false), sleep(until - Date.now(), signal)]);
          // 423: the client waits and tries again.
          if (tooLong) throw { status_code: 423, body: 'The upload is being written to by another request\n' };
        }
        const { promise: freed, resolve: free } = Promise.withResolvers<void>();
        this.#held.set(id, { askBack, freed, free });
      },
      unlock: async () => {
        const held = this.#held.get(id);
        this.#held.delete(id);
        held?.free();
      },
    };
  }
}

/** True after so long, or when nobody waits any more. */
function sleep(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(over, Math.max(0, ms)).unref();
    signal.addEventListener('abort', over, { once: true });
  });
}
