import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lockFolder } from '../data-dir/lock-folder.ts';
import type { DiskSpace } from '../disk-space.ts';
import { errors } from './errors.ts';

const LOCK = 'in-use';
const BEGINNING_MS = 60_000;

export interface Received {
  path: string;
  size: number;
}

/** Thrown by `receive` as soon as the source exceeds the limit. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** A locked folder per process. Other processes remove a crashed one's folder at their start or within the hour. */
export class TempFiles {
  readonly folder: string;
  readonly #all: string;
  readonly #disk: DiskSpace;
  #unlock = () => {};

  constructor(all: string, disk: DiskSpace) {
    this.#all = all;
    this.folder = join(all, crypto.randomUUID());
    this.#disk = disk;
  }

  async prepare(): Promise<void> {
    this.#unlock = lockFolder(join(this.folder, LOCK));
    await this.removeLeft();
  }

  async removeLeft(): Promise<void> {
    for (const name of await readdir(this.#all)) {
      const left = join(this.#all, name);
      const made = await stat(left).catch(() => null);
      // A folder that was just created is not locked yet.
      if (left === this.folder || !made?.isDirectory() || Date.now() - made.mtimeMs < BEGINNING_MS) continue;
      const unlock = lockIfFree(join(left, LOCK));
      if (!unlock) continue;
      await rm(left, { recursive: true, force: true });
      unlock();
    }
  }

  async close(): Promise<void> {
    this.#unlock();
    await rm(this.folder, { recursive: true, force: true });
  }

  path(suffix = ''): string {
    return join(this.folder, `${crypto.randomUUID()}${suffix}`);
  }

  /** Writes the source to a new file, and removes it on failure. @throws OverLimit, InsufficientStorage (507) */
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

  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }
}

/** Null while another process holds the lock. */
function lockIfFree(folder: string): (() => void) | null {
  try {
    return lockFolder(folder);
  } catch {
    return null;
  }
}
