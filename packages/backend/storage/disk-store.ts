import { randomUUID } from 'node:crypto';
import { constants, type ReadStream } from 'node:fs';
import { access, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fsyncPath, nullIfMissing } from '../data-dir/durable-file.ts';
import type { Folder, ListEntry, LocalFile, PartName, Store, StoredFile } from './store.ts';
import { folderPath, listPath, partPath } from './store.ts';

/** Bytes. Parts up to this size are read into memory; larger ones are streamed. */
const MAX_BUFFERED_BYTES = 512 * 1024;

export class DiskStore implements Store {
  readonly #root: string;
  readonly #createTempPath: () => string;

  /** @param createTempPath on the same file system; an interrupted write leaves its file there */
  constructor(root: string, createTempPath = () => join(root, `${randomUUID()}.new`)) {
    this.#root = resolve(root);
    this.#createTempPath = createTempPath;
  }

  async put(folder: Folder, part: PartName, content: string | Uint8Array): Promise<void> {
    if (typeof content !== 'string')
      return this.#writeAtomically((path) => writeFile(path, content, { mode: 0o600 }), folder, part);
    const target = this.#pathOf(folder, part);
    await fsyncPath(content);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(content, target);
    await fsyncPath(dirname(target));
    await fsyncPath(dirname(dirname(target)));
    await fsyncPath(this.#root);
  }

  async copy(from: string, to: string): Promise<void> {
    const original = this.#pathOf(from, 'original');
    await this.#writeAtomically((path) => copyFile(original, path, constants.COPYFILE_FICLONE), to, 'original');
  }

  async open(folder: Folder, part: PartName): Promise<StoredFile | null> {
    const handle = await open(this.#pathOf(folder, part), 'r').catch(nullIfMissing);
    if (!handle) return null;
    const { size } = await handle.stat();
    return {
      size,
      close: () => handle.close(),
      async read(range = { start: 0, end: size - 1 }): Promise<ArrayBuffer | ReadStream> {
        const length = range.end - range.start + 1;
        if (length > MAX_BUFFERED_BYTES) return handle.createReadStream({ start: range.start, end: range.end });
        try {
          const bytes = new Uint8Array(length);
          const { bytesRead } = length ? await handle.read(bytes, 0, length, range.start) : { bytesRead: 0 };
          if (bytesRead !== length) throw new Error(`Part ${part} of ${folder} is shorter than its size`);
          return bytes.buffer;
        } finally {
          await handle.close();
        }
      },
    };
  }

  async localFile(version: string): Promise<LocalFile | null> {
    const path = this.#pathOf(version, 'original');
    return (await stat(path).catch(nullIfMissing)) ? { path, [Symbol.asyncDispose]: async () => {} } : null;
  }

  async remove(folder: Folder, parts?: readonly PartName[]): Promise<void> {
    const paths = parts?.map((part) => this.#pathOf(folder, part)) ?? [join(this.#root, folderPath(folder))];
    await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
  }

  async *list(path: string): AsyncIterable<ListEntry> {
    const folder = join(this.#root, listPath(path));
    for (const name of ((await readdir(folder).catch(nullIfMissing)) ?? []).sort()) {
      const entry = await stat(join(folder, name)).catch(nullIfMissing);
      if (entry) yield { name, modifiedAt: entry.mtime };
    }
  }

  state(): Promise<'ok' | 'unavailable'> {
    return access(this.#root, constants.W_OK).then(
      () => 'ok',
      () => 'unavailable',
    );
  }

  close(): void {}

  /** Writes under a unique temporary name, then renames, so that readers never see a partial file. */
  async #writeAtomically(write: (path: string) => Promise<void>, folder: Folder, part: PartName): Promise<void> {
    const path = this.#createTempPath();
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    try {
      await write(path);
      await this.put(folder, part, path);
    } finally {
      await rm(path, { force: true });
    }
  }

  #pathOf = (folder: Folder, part: PartName) => join(this.#root, partPath(folder, part));
}

export async function openDiskStore(folder: string, createTempPath?: () => string): Promise<DiskStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new DiskStore(folder, createTempPath);
}
