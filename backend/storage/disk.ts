import { constants, type ReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { forceToDisk } from '../data-dir/durable-file.ts';
import type { Opened, PartName, Store } from './store.ts';

const VERSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PART = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Parts up to this size are read at once; larger ones are streamed. */
const AT_ONCE = 512 * 1024;

/** Objects in a folder: `<first two letters>/<version>/<part>`. */
export class DiskStore implements Store {
  readonly #root: string;
  /** Removals that wait, while somebody wants every object to stay. */
  readonly #removals = new Set<string>();
  #holders = 0;
  constructor(root: string) {
    this.#root = resolve(root);
  }

  async put(version: string, part: PartName, file: string): Promise<void> {
    const place = this.#place(version, part);
    await forceToDisk(file);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rename(file, place);
    await forceToDisk(dirname(place));
    await forceToDisk(dirname(dirname(place)));
    await forceToDisk(this.#root);
  }

  async copy(from: string, to: string): Promise<void> {
    const copied = join(this.#root, `${to}.new`);
    try {
      await copyFile(this.#place(from, 'original'), copied, constants.COPYFILE_FICLONE);
      await this.put(to, 'original', copied);
    } finally {
      await rm(copied, { force: true });
    }
  }

  async open(version: string, part: PartName): Promise<Opened | null> {
    const handle = await open(this.#place(version, part), 'r').catch(missingIsNull);
    if (!handle) return null;
    const { size } = await handle.stat();
    return {
      size,
      async head(length) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      },
      close: () => handle.close(),
      async read(range = { start: 0, end: size - 1 }): Promise<ArrayBuffer | ReadStream> {
        const length = range.end - range.start + 1;
        if (length > AT_ONCE) return handle.createReadStream({ start: range.start, end: range.end });
        try {
          const bytes = new Uint8Array(length);
          const { bytesRead } = length ? await handle.read(bytes, 0, length, range.start) : { bytesRead: 0 };
          if (bytesRead !== length) throw new Error(`Part ${part} of ${version} is shorter than its size`);
          return bytes.buffer;
        } finally {
          await handle.close();
        }
      },
    };
  }

  async localFile(version: string, part: PartName): Promise<string | null> {
    const place = this.#place(version, part);
    return (await stat(place).catch(missingIsNull)) ? place : null;
  }

  async parts(version: string): Promise<PartName[]> {
    return (await readdir(dirname(this.#place(version, 'original'))).catch(missingIsNull)) ?? [];
  }

  async remove(version: string): Promise<void> {
    if (this.#holders) this.#removals.add(version);
    else await this.#removeNow(version);
  }

  holdRemovals(): () => void {
    this.#holders++;
    let held = true;
    return () => {
      if (held && --this.#holders === 0) {
        // What fails here is found again by the hourly sweep.
        for (const version of this.#removals) void this.#removeNow(version).catch(() => {});
        this.#removals.clear();
      }
      held = false;
    };
  }

  async #removeNow(version: string): Promise<void> {
    await rm(dirname(this.#place(version, 'original')), { recursive: true, force: true });
  }

  async *versions(): AsyncIterable<{ version: string; changed: Date }> {
    for (const shelf of (await readdir(this.#root).catch(missingIsNull)) ?? []) {
      if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
      for (const version of (await readdir(join(this.#root, shelf)).catch(missingIsNull)) ?? []) {
        if (!VERSION.test(version)) continue;
        const found = await stat(join(this.#root, shelf, version)).catch(missingIsNull);
        if (found) yield { version, changed: found.mtime };
      }
    }
  }

  #place(version: string, part: PartName): string {
    if (!VERSION.test(version) || !PART.test(part)) throw new Error(`Not a part of an object: ${version} ${part}`);
    const place = resolve(this.#root, version.slice(0, 2), version, part);
    if (!place.startsWith(this.#root + sep)) throw new Error('Outside of the store');
    return place;
  }
}

/** Opens the store in `folder`, making it when needed. */
export async function openDisk(folder: string): Promise<DiskStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new DiskStore(folder);
}

function missingIsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
