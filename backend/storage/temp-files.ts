import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DiskSpace } from '../disk-space.ts';
import { errors } from './errors.ts';

/** Bytes that were received and not yet judged. */
export interface Received {
  path: string;
  size: number;
}

/** Raised by `receive` as soon as the source holds more than the limit. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** Local temporary files. What a crash leaves behind is removed at the next start. */
export class TempFiles {
  readonly folder: string;
  readonly #disk: DiskSpace;
  constructor(folder: string, disk: DiskSpace) {
    this.folder = folder;
    this.#disk = disk;
  }

  /** Makes the folder and empties it of what an earlier process left. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder)) await rm(join(this.folder, name), { recursive: true, force: true });
  }

  /** A path nobody else uses. */
  path(suffix = ''): string {
    return join(this.folder, `${crypto.randomUUID()}${suffix}`);
  }

  /** Writes the source to a new file. Nothing stays behind when it fails. @throws OverLimit, InsufficientStorage (507) */
  async receive(source: AsyncIterable<Uint8Array>, limit: number): Promise<Received> {
    const path = this.path();
    const disk = this.#disk;
    let size = 0;
    async function* counted() {
      for await (const chunk of source) {
        size += chunk.byteLength;
        if (size > limit) throw new OverLimit(`More than ${limit} bytes`);
        disk.take(chunk.byteLength);
        if (!(await disk.has('files'))) throw errors.noSpace();
        yield chunk;
      }
    }
    try {
      await pipeline(
        Readable.from(counted(), { objectMode: false }),
        createWriteStream(path, { mode: 0o600, flags: 'wx' }),
      );
      return { path, size: (await stat(path)).size };
    } catch (error) {
      await this.discard(path);
      throw error;
    }
  }

  /** Removes a file; missing is fine. */
  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }
}
