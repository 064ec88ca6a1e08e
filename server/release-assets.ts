import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../backend/storage/store.ts';
import { headersOf, type Stored, store as stored } from './files.ts';

/** Where they lie in the store. */
const FOLDER = 'assets';
const ASSET = /^\/assets\/[\w.-]{1,200}$/;
/** A page that was left open for longer loads its scripts in vain. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** A start has better things to do. */
const FIRST_MS = 10_000;

/** Leaves the assets of this release in the store, where a server of another one finds them for a page of this. */
export class ReleaseAssets {
  readonly #store: Store;
  readonly #files: Map<string, Stored>;
  readonly #firstMs: number;
  readonly #closing = new AbortController();
  #kept: Promise<void> = Promise.resolve();

  /**
   * @param files of the built site, by path; what is found of other releases is added
   * @param firstMs how long after the start they are left there
   */
  constructor(store: Store, files: Map<string, Stored>, firstMs = FIRST_MS) {
    this.#firstMs = firstMs;
    this.#store = store;
    this.#files = files;
  }

  /**
   * Leaves them there a while after the start, once for each release, and forgets what is too old.
   * @param failed told when the store does not take them; the next start tries again
   */
  keep(failed: (error: unknown) => void): void {
    const { signal } = this.#closing;
    this.#kept = sleep(this.#firstMs, undefined, { signal, ref: false })
      .then(() => this.#keepAll(signal))
      .catch((error: unknown) => {
        if (!signal.aborted) failed(error);
      });
  }

  /** An asset of another release, ready to be sent; null when there is none, or the store is away. */
  async find(path: string): Promise<Stored | null> {
    if (!ASSET.test(path)) return null;
    const opened = await this.#store.open(FOLDER, hash(path)).catch(() => null);
    if (!opened) return null;
    const content = await opened.read();
    const bytes = content instanceof ArrayBuffer ? Buffer.from(content) : await buffer(content);
    const found = await stored(200, headersOf(path), bytes);
    this.#files.set(path, found);
    return found;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#kept;
  }

  async #keepAll(signal: AbortSignal): Promise<void> {
    const paths = [...this.#files.keys()].filter((path) => ASSET.test(path)).sort();
    const release = `release-${hash(paths.join('\n'))}`;
    const marker = await this.#store.open(FOLDER, release);
    await marker?.close();
    if (!marker) {
      for (const path of paths) {
        signal.throwIfAborted();
        await this.#store.put(FOLDER, hash(path), this.#files.get(path)!.plain);
      }
      await this.#store.put(FOLDER, release, Buffer.from(release));
    }
    const own = new Set([release, ...paths.map(hash)]);
    const old: string[] = [];
    for await (const { name, changed } of this.#store.list(FOLDER))
      if (!own.has(name) && changed && Date.now() - changed.getTime() > KEPT_MS) old.push(name);
    if (old.length) await this.#store.remove(FOLDER, old);
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
