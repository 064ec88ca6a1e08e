import { createHash } from 'node:crypto';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { freeBytes, megabytes } from '../data-dir/disk-space.ts';
import { fsyncPath } from '../data-dir/durable-file.ts';
import type { ArchivedFile, Manifest } from './manifest.ts';
import { openArchive } from './open-archive.ts';
import { END, paddingOf, tarHeader } from './tar.ts';

export type EntryWriter = ReturnType<typeof createEntryWriter>;

/** The caller appends `END` after the last entry. */
export function createEntryWriter(write: (bytes: Uint8Array) => Promise<unknown>) {
  const files: ArchivedFile[] = [];
  return {
    files,
    /** @param size total bytes of `content` */
    async add(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
      await write(tarHeader(name, size));
      const digest = createHash('sha256');
      let bytesWritten = 0;
      for await (const chunk of content) {
        digest.update(chunk);
        bytesWritten += chunk.byteLength;
        await write(chunk);
      }
      if (bytesWritten !== size) throw new Error(`${name} changed while it was copied.`);
      await write(Buffer.alloc(paddingOf(size)));
      files.push({ name, size, sha256: digest.digest('hex') });
    },
  };
}

/**
 * Atomic, durable and verified; removes leftovers of a killed process. @throws Error when the file exists
 * @param beforeVerifying throws when the source has become inconsistent
 */
export async function writeNewFile(
  path: string,
  write: (entries: EntryWriter) => Promise<void>,
  beforeVerifying: () => void = () => {},
): Promise<Manifest> {
  await removeAbandoned(path);
  const partPath = `${path}.${process.pid}.part`;
  const file = await open(partPath, 'wx', 0o600);
  try {
    try {
      await write(createEntryWriter((bytes) => file.writeFile(bytes)));
      await file.writeFile(END);
      await file.sync();
    } finally {
      await file.close();
    }
    beforeVerifying();
    const archive = await openArchive(partPath);
    await archive.close();
    await linkAsNew(partPath, path);
    return archive.manifest;
  } finally {
    await rm(partPath, { force: true });
  }
}

/** Unlike a rename, a link never replaces a file. */
async function linkAsNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw fileExistsError(to);
    // File systems without links, such as FAT: an empty file reserves the name.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(code ?? '')) throw error;
    const placeholder = await open(to, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? fileExistsError(to) : error;
    });
    await placeholder.close();
    await rename(from, to);
  }
  await fsyncPath(dirname(to));
}

export const fileExistsError = (path: string) =>
  new Error(`${path} exists already. Choose another file name; files are never overwritten.`);

async function removeAbandoned(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${dirname(path)} cannot be written to: ${error.code}.`);
  });
  for (const name of names) {
    const pid = name.startsWith(`${basename(path)}.`) && /\.(\d+)\.part$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) await rm(join(dirname(path), name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export class InsufficientSpace extends Error {
  override readonly name = 'InsufficientSpace';
}

/** @param requiredBytes bytes to write @param reservedBytes bytes that must stay free @throws InsufficientSpace */
export async function requireFreeSpace(folder: string, requiredBytes: number, reservedBytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free - requiredBytes >= reservedBytes) return;
  throw new InsufficientSpace(
    `This needs about ${megabytes(requiredBytes)}; the disk of ${folder} has ${megabytes(free)} free, of which ${megabytes(reservedBytes)} are reserved. Free some space or use another disk.`,
  );
}
