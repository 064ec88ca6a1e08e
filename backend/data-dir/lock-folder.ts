import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BUSY = 5;
const UNNAMED = 'another process';

/** Referenced, because a garbage-collected handle is closed and loses its lock. */
const held = new Set<DatabaseSync>();

/**
 * Two engines in one folder would destroy it. SQLite locks a file beside the folder; the lock ends with the process and
 * works between containers. Nothing else here may open the file: closing it releases the lock (docs/decisions/025).
 * @returns releases the lock
 * @throws Error that names the folder and its holder, or says that the file system has no locks
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
    // The lock works on a full disk; only its holder's id is missing.
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
    // Acquires SQLite's exclusive write lock without waiting. Nothing is ever written.
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
