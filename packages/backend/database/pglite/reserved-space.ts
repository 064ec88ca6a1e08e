import { randomBytes } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { DiskSpace } from '../../data-dir/disk-space.ts';

const CHUNK_BYTES = 1024 * 1024;
const FIRST_CHECK_MS = 10_000;
const CHECK_INTERVAL_MS = 60_000;

/** The engine must write a checkpoint to open or close a folder: this file reserves the space (docs/decisions/026). */
export class ReservedSpace {
  readonly #path: string;
  readonly #disk: DiskSpace;
  readonly #bytes: number;
  #reserving: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, disk: DiskSpace) {
    this.#path = path;
    this.#disk = disk;
    this.#bytes = 2 * disk.limit('essentials');
  }

  async release(): Promise<void> {
    await this.#reserving;
    if ((await this.#disk.free()) < this.#bytes) await rm(this.#path, { force: true });
  }

  keepReserved(log: Logger, delayMs = FIRST_CHECK_MS): void {
    this.#timer = setTimeout(() => {
      this.#reserving = this.#reserve().catch((error: Error) =>
        log.warn({ error: error.message }, 'could not reserve emergency disk space'),
      );
      this.keepReserved(log, CHECK_INTERVAL_MS);
    }, delayMs).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#reserving;
  }

  async #reserve(): Promise<void> {
    const existing = await stat(this.#path).catch(() => null);
    if (existing?.size === this.#bytes || !(await this.#disk.has('data', this.#bytes))) return;
    await using file = await open(this.#path, 'w', 0o600);
    try {
      // Not zeros: they take no space on a compressing file system.
      const chunk = randomBytes(CHUNK_BYTES);
      this.#disk.take(this.#bytes);
      for (let remaining = this.#bytes; remaining > 0; remaining -= chunk.length)
        await file.write(chunk, 0, Math.min(remaining, chunk.length));
      await file.sync();
    } catch (error) {
      await rm(this.#path, { force: true });
      throw error;
    }
  }
}
