import { open, rm, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { DiskSpace } from '../disk-space.ts';

const CHUNK = 1024 * 1024;
const FIRST_LOOK_MS = 10_000;
const LOOK_AGAIN_MS = 60_000;

/** The engine must write a checkpoint to open or close a folder: this file reserves the space (docs/decisions/026). */
export class Ballast {
  readonly #path: string;
  readonly #disk: DiskSpace;
  readonly #bytes: number;
  #laying: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, disk: DiskSpace) {
    this.#path = path;
    this.#disk = disk;
    this.#bytes = 2 * disk.limit('essentials');
  }

  async makeWay(): Promise<void> {
    await this.#laying;
    if ((await this.#disk.free()) < this.#bytes) await rm(this.#path, { force: true });
  }

  keepLaid(log: Logger, firstAfterMs = FIRST_LOOK_MS): void {
    this.#timer = setTimeout(() => {
      this.#laying = this.#lay().catch((error: Error) =>
        log.warn({ error: error.message }, 'could not reserve emergency disk space'),
      );
      this.keepLaid(log, LOOK_AGAIN_MS);
    }, firstAfterMs).unref();
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#laying;
  }

  async #lay(): Promise<void> {
    const there = await stat(this.#path).catch(() => null);
    if (there?.size === this.#bytes || !(await this.#disk.has('data', this.#bytes))) return;
    const file = await open(this.#path, 'w', 0o600);
    try {
      // Not zeros: they take no space on a compressing file system.
      const chunk = Buffer.concat(Array.from({ length: 16 }, () => crypto.getRandomValues(new Uint8Array(CHUNK / 16))));
      this.#disk.take(this.#bytes);
      for (let left = this.#bytes; left > 0; left -= chunk.length)
        await file.write(chunk, 0, Math.min(left, chunk.length));
      await file.sync();
    } catch (error) {
      await rm(this.#path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
}
