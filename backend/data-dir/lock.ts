import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BUSY = 5;
const UNNAMED = 'another process';

/** What is garbage-collected is closed, and what is closed holds nothing. */
const held = new Set<DatabaseSync>();

/**
 * Takes a folder for this process: two engines in one database folder would destroy it without complaint.
 * The lock is the kernel's own, on a file beside the folder, taken by SQLite: it ends with the process, however that
 * ends, and holds between containers that share a volume. The file is empty and stays. Nothing else may open it in
 * this process: on closing it the system would let go of the lock (docs/decisions/025).
 * @param called how the refusal names the folder
 * @returns lets go of the folder
 * @throws Error that names the folder and the process that has it, or says that no lock can be had there
 */
export function lockFolder(folder: string, called = `The database folder ${folder}`): () => void {
  const parent = dirname(resolve(folder));
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const beside = realPath(folder) ?? join(realpathSync(parent), basename(folder));
  const owner = `${beside}.owner`;
  const lock = take(`${beside}.lockfile`, called, owner);
  held.add(lock);
  try {
    writeFileSync(owner, `${process.pid} on ${hostname()}`, { mode: 0o600 });
  } catch {
    // On a full disk the lock holds all the same; it only cannot say whose it is.
  }
  return () => {
    if (!held.delete(lock)) return;
    rmSync(owner, { force: true });
    lock.close();
  };
}

function take(file: string, called: string, owner: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    // The right to write, which one has at a time; whoever else asks is refused at once. Nothing is ever written.
    lock.exec('begin immediate');
    return lock;
  } catch (error) {
    lock?.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY)
      throw new Error(
        `${called} is in use by ${nameIn(owner)}. Stop that server first, or set DATA_DIR to another folder.`,
      );
    throw new Error(
      `${called} cannot be locked: ${file}: ${(error as Error).message}. DATA_DIR must be on a file system with locks, because two servers would destroy the folder.`,
    );
  }
}

const realPath = (folder: string): string | null => {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
};

const nameIn = (owner: string): string => {
  try {
    const name = readFileSync(owner, 'utf8');
    return name ? `process ${name}` : UNNAMED;
  } catch {
    return UNNAMED;
  }
};
