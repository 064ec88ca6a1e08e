import { randomUUID } from 'node:crypto';
import { constants, type ReadStream } from 'node:fs';
import { access, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { forceToDisk } from '../data-dir/durable-file.ts';
import {
  type Folder,
  folderPath,
  type Listed,
  type LocalFile,
  listedPath,
  type Opened,
  type PartName,
  partPath,
  type Store,
} from './store.ts';

/** Bytes. Parts up to this size are read into memory; larger ones are streamed. */
const AT_ONCE = 512 * 1024;

export class DiskStore implements Store {
  readonly #root: string;
  constructor(root: string) {
    this.#root = resolve(root);
  }

  async put(folder: Folder, part: PartName, content: string | Uint8Array): Promise<void> {
    if (typeof content !== 'string')
      return this.#made((path) => writeFile(path, content, { mode: 0o600 }), folder, part);
    const place = this.#place(folder, part);
    await forceToDisk(content);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rename(content, place);
    await forceToDisk(dirname(place));
    await forceToDisk(dirname(dirname(place)));
    await forceToDisk(this.#root);
  }

  async copy(from: string, to: string): Promise<void> {
    const original = this.#place(from, 'original');
    await this.#made((path) => copyFile(original, path, constants.COPYFILE_FICLONE), to, 'original');
  }

  async open(folder: Folder, part: PartName): Promise<Opened | null> {
    const handle = await open(this.#place(folder, part), 'r').catch(missingIsNull);
    if (!handle) return null;
    const { size } = await handle.stat();
    return {
      size,
      close: () => handle.close(),
      async read(range = { start: 0, end: size - 1 }): Promise<ArrayBuffer | ReadStream> {
        const length = range.end - range.start + 1;
        if (length > AT_ONCE) return handle.createReadStream({ start: range.start, end: range.end });
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

  async localFile(folder: Folder, part: PartName): Promise<LocalFile | null> {
    const path = this.#place(folder, part);
    return (await stat(path).catch(missingIsNull)) ? { path, done: async () => {} } : null;
  }

  async remove(folder: Folder, parts?: readonly PartName[]): Promise<void> {
    const paths = parts?.map((part) => this.#place(folder, part)) ?? [join(this.#root, folderPath(folder))];
    await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
  }

  async *list(where: string): AsyncIterable<Listed> {
    const folder = join(this.#root, listedPath(where));
    for (const name of ((await readdir(folder).catch(missingIsNull)) ?? []).sort()) {
      const found = await stat(join(folder, name)).catch(missingIsNull);
      if (found) yield { name, changed: found.mtime };
    }
  }

  state(): Promise<'well' | 'away'> {
    return access(this.#root, constants.W_OK).then(
      () => 'well',
      () => 'away',
    );
  }

  close(): void {}

  /** Writes under a unique temporary name, then renames, so that readers never see a partial file. */
  async #made(make: (path: string) => Promise<void>, folder: Folder, part: PartName): Promise<void> {
    const path = join(this.#root, `${randomUUID()}.new`);
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    try {
      await make(path);
      await this.put(folder, part, path);
    } finally {
      await rm(path, { force: true });
    }
  }

  #place(folder: Folder, part: PartName): string {
    return join(this.#root, partPath(folder, part));
  }
}

export async function openDisk(folder: string): Promise<DiskStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new DiskStore(folder);
}

function missingIsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
