import { statfs } from 'node:fs/promises';

/** What somebody wants to write, from what is refused first to what goes on longest. */
export type Purpose = 'files' | 'data' | 'essentials';

/**
 * Below which share of the reserve each is refused. Files leave the reserve alone, and a little for the rows and the log
 * that come with them; rows go on for a while, so that the engine never meets a full disk inside its log; signing in and
 * deleting, which is how room is made, longest.
 */
const SHARES: Record<Purpose, number> = { files: 33 / 32, data: 1 / 4, essentials: 1 / 32 };
const LOOK_AGAIN_MS = 1_000;

/** What is free on the disk of a folder, and whether that is enough (promise D7). The disk is looked at once a second. */
export class DiskSpace {
  readonly #folder: string;
  readonly #reserve: number;
  #found = Number.POSITIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;
  #takenSince = 0;
  #held = 0;

  /**
   * @param folder on the disk that is watched
   * @param reserve bytes that files leave free
   */
  constructor(folder: string, reserve: number) {
    this.#folder = folder;
    this.#reserve = reserve;
  }

  /** Whether so many bytes can be written for this purpose now. */
  async has(purpose: Purpose, bytes = 0): Promise<boolean> {
    return (await this.free()) - bytes >= this.limit(purpose);
  }

  /** Below so many free bytes this purpose is refused. */
  limit(purpose: Purpose): number {
    return this.#reserve * SHARES[purpose];
  }

  /** Bytes that are free, less what is held and what was written since the last look. Unlimited where the system does not tell. */
  async free(): Promise<number> {
    if (performance.now() - this.#lookedAt > LOOK_AGAIN_MS) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
    return this.#found - this.#takenSince - this.#held;
  }

  /** Counts bytes that were just written, until the next look finds them. */
  take(bytes: number): void {
    this.#takenSince += bytes;
  }

  /** Sets bytes aside for a file whose size is not known yet. @returns gives them back */
  hold(bytes: number): () => void {
    this.#held += bytes;
    return () => {
      this.#held -= bytes;
    };
  }

  async #look(): Promise<void> {
    // From here on, so that what is written during the look counts twice rather than never.
    this.#takenSince = 0;
    const found = await statfs(this.#folder).catch(() => null);
    this.#found = found ? found.bavail * found.bsize : Number.POSITIVE_INFINITY;
    this.#lookedAt = performance.now();
  }
}

/** Words for whoever is refused, whichever service answers. */
export const NO_ROOM = 'The server is out of disk space. Please try again later.';
export const NO_ROOM_RETRY_SECONDS = 60;

/** Bytes as people read them; rounded up, so that a file over the limit never reads as the limit itself. */
export function megabytes(bytes: number): string {
  const text = (Math.ceil((bytes / 1024 ** 2) * 10) / 10).toFixed(1);
  return `${text.replace(/\.0$/, '')} MB`;
}
