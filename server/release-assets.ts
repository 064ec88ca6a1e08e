import { hash as digest } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { chunksOf, type Store } from '../packages/backend/storage/store.ts';
import { headersOf, type Stored, store as toStored } from './files.ts';

const FOLDER = 'assets';
/** A content-hashed name of Vite or the framework. */
const ASSET = /^\/assets\/[\w.-]{1,180}-[\w-]{8}\.(?:js|css|woff2|svg|png|webp|avif|jpg)$/;
/** How long after the next release the scripts of an open page are kept. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;
/** Delayed, so that a start does not wait for the store, unless servers of an earlier release may need them. */
const STORE_DELAY_MS = 10_000;
const MAX_WAIT_MS = 60_000;
const PUTS_AT_ONCE = 16;
/** How long the store is not queried again for a missing asset, which a new release may add meanwhile. */
const MISSING_MS = 30_000;

/** Serves assets of other releases to pages that were loaded from them. */
export class ReleaseAssets {
  readonly #store: Store;
  readonly #files: Map<string, Stored>;
  readonly #missing = new LRUCache<string, true>({ max: 10_000, ttl: MISSING_MS });
  readonly #closing = new AbortController();
  #storing: Promise<void> = Promise.resolve();

  constructor(store: Store, files: Map<string, Stored>) {
    this.#store = store;
    this.#files = files;
  }

  /** Resolves when servers that share the store find them. @param onError gets a refusal; the next start tries again */
  async store(onError: (error: unknown) => void, isShared: boolean, delayMs = STORE_DELAY_MS): Promise<void> {
    const { signal } = this.#closing;
    const isUpgrade = isShared && (await Array.fromAsync(this.#store.list(FOLDER)).catch(() => [])).length > 0;
    this.#storing = sleep(isUpgrade ? 0 : delayMs, undefined, { signal, ref: false })
      .then(() => this.#storeAll(signal))
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
    if (isUpgrade) await Promise.race([this.#storing, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  }

  async find(path: string): Promise<Stored | null> {
    if (!ASSET.test(path) || this.#missing.has(path)) return null;
    const opened = await this.#store.open(FOLDER, hash(path)).catch(() => undefined);
    if (opened === null) this.#missing.set(path, true);
    if (!opened) return null;
    const found = await toStored(200, headersOf(path), await buffer(chunksOf(opened)));
    this.#files.set(path, found);
    return found;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#storing;
  }

  async #storeAll(signal: AbortSignal): Promise<void> {
    const paths = [...this.#files.keys()].filter((path) => ASSET.test(path)).sort();
    const release = `release-${hash(paths.join('\n'))}`;
    const list = async () =>
      (await Array.fromAsync(this.#store.list(FOLDER)))
        .map(({ name, modifiedAt }) => ({ name, at: modifiedAt!.getTime() }))
        .sort((a, b) => b.at - a.at);
    const isRelease = ({ name }: { name: string }) => name.startsWith('release-');
    // A release stores all its files again, also when it returns, so that earlier ones have only older files.
    let stored = await list();
    if (stored.find(isRelease)?.name !== release) {
      for (let at = 0; at < paths.length; at += PUTS_AT_ONCE) {
        signal.throwIfAborted();
        const put = (path: string) => this.#store.put(FOLDER, hash(path), this.#files.get(path)!.plain);
        await Promise.all(paths.slice(at, at + PUTS_AT_ONCE).map(put));
      }
      await this.#store.put(FOLDER, release, Buffer.from(release));
      stored = await list();
    }
    const own = new Set([release, ...paths.map(hash)]);
    const outdated = stored
      .filter(isRelease)
      .find((_, place, newestFirst) => Date.now() - (newestFirst[place - 1]?.at ?? Infinity) > RETENTION_MS);
    const old = stored.filter(({ name, at }) => outdated && at <= outdated.at && !own.has(name));
    const names = old.map(({ name }) => name);
    if (names.length) await this.#store.remove(FOLDER, names);
  }
}

const hash = (text: string) => digest('sha256', text);
