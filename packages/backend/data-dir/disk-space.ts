import { statfs } from 'node:fs/promises';

/** Kinds of writes, in the order in which they are refused on a full disk. */
export type Purpose = 'files' | 'data' | 'essentials';

/**
 * Shares of the reserve below which each is refused. Files leave the reserve untouched, plus space for their rows and
 * log; data stops before the database engine runs out of WAL space; last signing in and deleting, which frees space.
 */
const SHARES: Record<Purpose, number> = { files: 33 / 32, data: 1 / 4, essentials: 1 / 32 };
const CHECK_INTERVAL_MS = 1_000;

/** Free disk space of a folder (promise D7), checked at most once a second. */
export class DiskSpace {
  readonly #folder: string;
  readonly #reserve: number;
  #freeBytes = Number.POSITIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | null = null;
  #writtenSince = 0;
  #reserved = 0;

  constructor(folder: string, reserve: number) {
    this.#folder = folder;
    this.#reserve = reserve;
  }

  async has(purpose: Purpose, bytes = 0): Promise<boolean> {
    return (await this.free()) - bytes >= this.limit(purpose);
  }

  limit(purpose: Purpose): number {
    return this.#reserve * SHARES[purpose];
  }

  /** Free bytes minus held and recently written ones. Infinite where the system cannot report it. */
  async free(): Promise<number> {
    if (performance.now() - this.#checkedAt > CHECK_INTERVAL_MS) {
      this.#checking ??= this.#check().finally(() => (this.#checking = null));
      await this.#checking;
    }
    return this.#freeBytes - this.#writtenSince - this.#reserved;
  }

  take(bytes: number): void {
    this.#writtenSince += bytes;
  }

  hold(bytes: number): Disposable {
    this.#reserved += bytes;
    return { [Symbol.dispose]: () => (this.#reserved -= bytes) };
  }

  async #check(): Promise<void> {
    // Reset before the check: bytes written meanwhile count twice rather than not at all.
    this.#writtenSince = 0;
    this.#freeBytes = await freeBytes(this.#folder).catch(() => Number.POSITIVE_INFINITY);
    this.#checkedAt = performance.now();
  }
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export const NO_ROOM = 'The server is out of disk space. Please try again later.';
export const NO_ROOM_RETRY_SECONDS = 60;

/** Rounded up, so that a file above the limit never shows as the limit itself. */
export const megabytes = (bytes: number): string => `${Math.ceil((bytes / 1024 ** 2) * 10) / 10} MB`;
