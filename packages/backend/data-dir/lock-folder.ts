import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
const UNKNOWN_OWNER = 'another process';

/** Referenced, because a garbage-collected handle is closed and loses its lock. */
const heldLocks = new Set<DatabaseSync>();

/**
 * SQLite locks a file beside the folder, also between containers, until the process ends. No other code of this process
 * may open that file: closing it releases the lock (docs/decisions/025).
 * @throws Error that names the folder and its holder, or says that the file system has no locks
 */
export function lockFolder(folder: string, label = `The database folder ${folder}`): () => void {
  const parent = dirname(resolve(folder));
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const basePath = existsSync(folder) ? realpathSync(folder) : join(realpathSync(parent), basename(folder));
  const ownerFile = `${basePath}.owner`;
  const lock = acquire(`${basePath}.lockfile`, label, ownerFile);
  heldLocks.add(lock);
  try {
    writeFileSync(ownerFile, `${process.pid} on ${hostname()}`, { mode: 0o600 });
  } catch {
    // The lock works on a full disk; only its holder's id is missing.
  }
  return () => {
    if (!heldLocks.delete(lock)) return;
    rmSync(ownerFile, { force: true });
    lock.close();
  };
}

function acquire(file: string, label: string, ownerFile: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    // Acquires SQLite's exclusive write lock without waiting. Nothing is ever written.
    lock.exec('begin immediate');
    return lock;
  } catch (error) {
    lock?.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY)
      throw new Error(
        `${label} is in use by ${describeOwner(ownerFile)}. Stop that server first, or set DATA_DIR to another folder.`,
      );
    throw new Error(
      `${label} cannot be locked: ${file}: ${(error as Error).message}. DATA_DIR must be on a file system with locks, because two servers would destroy the folder.`,
    );
  }
}

const describeOwner = (ownerFile: string): string => {
  try {
    const name = readFileSync(ownerFile, 'utf8');
    return name ? `process ${name}` : UNKNOWN_OWNER;
  } catch {
    return UNKNOWN_OWNER;
  }
};
