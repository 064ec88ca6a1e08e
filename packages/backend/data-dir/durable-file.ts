import { randomUUID } from 'node:crypto';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Atomic and durable, readable only by its owner, who stays the same when root writes. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partPath = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(partPath, content, { mode: 0o600, flush: true });
    const previous = process.getuid?.() === 0 ? await stat(path).catch(() => null) : null;
    if (previous) await chown(partPath, previous.uid, previous.gid);
    await rename(partPath, path);
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  }
  await fsyncPath(dirname(path));
}

/** @returns null for a missing file */
export const readIfPresent = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(nullIfMissing);

export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** A new file is durable only after fsync of both the file and its folder. */
export async function fsyncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Windows cannot force a folder; its entries are journalled.
    if (process.platform !== 'win32') throw error;
  }
}
