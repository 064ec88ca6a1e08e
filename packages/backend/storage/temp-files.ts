import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DiskSpace } from '../data-dir/disk-space.ts';
import { lockFolder } from '../data-dir/lock-folder.ts';
import { errors } from './errors.ts';

const LOCK = 'in-use';
const NEW_FOLDER_GRACE_MS = 60_000;

export type TempFile = { path: string; size: number };

/** Thrown by `receive` as soon as the source exceeds the limit. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** A locked folder per process. Other processes remove a crashed one's folder at their start or within the hour. */
export class TempFiles {
  readonly folder: string;
  readonly #root: string;
  readonly #disk: DiskSpace;
  #unlock = () => {};

  constructor(root: string, disk: DiskSpace) {
    this.#root = root;
    this.folder = join(root, crypto.randomUUID());
    this.#disk = disk;
  }

  async prepare(): Promise<void> {
    this.#unlock = lockFolder(join(this.folder, LOCK));
    await this.removeAbandoned();
  }

  async removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.#root)) {
      const folder = join(this.#root, name);
      const stats = await stat(folder).catch(() => null);
      // A folder that was just created is not locked yet.
      if (folder === this.folder || !stats?.isDirectory() || Date.now() - stats.mtimeMs < NEW_FOLDER_GRACE_MS) continue;
      const unlock = tryLock(join(folder, LOCK));
      if (!unlock) continue;
      await rm(folder, { recursive: true, force: true });
      unlock();
    }
  }

  async close(): Promise<void> {
    this.#unlock();
    await rm(this.folder, { recursive: true, force: true });
  }

  path = (suffix = '') => join(this.folder, `${crypto.randomUUID()}${suffix}`);

  /** Writes the source to a new file, and removes it on failure. @throws OverLimit, InsufficientStorage (507) */
  async receive(source: AsyncIterable<Uint8Array>, limit: number): Promise<TempFile> {
    const path = this.path();
    const disk = this.#disk;
    let size = 0;
    async function* countedChunks() {
      for await (const chunk of source) {
        size += chunk.byteLength;
        if (size > limit) throw new OverLimit(`More than ${limit} bytes`);
        disk.take(chunk.byteLength);
        if (!(await disk.has('files'))) throw errors.insufficientStorage();
        yield chunk;
      }
    }
    try {
      await pipeline(
        Readable.from(countedChunks(), { objectMode: false }),
        createWriteStream(path, { mode: 0o600, flags: 'wx' }),
      );
      return { path, size: (await stat(path)).size };
    } catch (error) {
      await this.discard(path);
      throw error;
    }
  }

  discard = (path: string) => rm(path, { force: true });
}

function tryLock(folder: string): (() => void) | null {
  try {
    return lockFolder(folder);
  } catch {
    return null;
  }
}
