import { constants, existsSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freeBytes } from './disk-space.ts';

const { R_OK, W_OK } = constants;
/** Paths that must be writable in an existing installation; the process creates all others itself. */
const WRITABLE_PATHS = ['.', 'database', 'database/global/pg_control', 'database.json', 'keys.json', 'objects'];
/** Minimum free space for creating or recovering a database. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

const REASONS: Record<string, string> = {
  EROFS: 'its file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EDQUOT: 'no space is left',
};

/** @throws Error for the operator that names what is not writable, and for which user */
export async function requireWritable(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error) => {
    throw notWritableError(dataDir, dataDir, error);
  });
  for (const name of WRITABLE_PATHS) {
    const path = join(dataDir, name);
    await access(path, R_OK | W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw notWritableError(dataDir, path, error);
    });
  }
}

export async function explainError(dataDir: string, error: unknown): Promise<unknown> {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  if (code in REASONS && path?.startsWith(dataDir)) return notWritableError(dataDir, path, error as Error);
  const free = await freeBytes(dataDir).catch(() => Number.POSITIVE_INFINITY);
  if (free > MIN_FREE_BYTES) return error;
  const megabytes = Math.floor(free / 1024 ** 2);
  const reason = code === 'ENOSPC' ? 'No space is left.' : message.split('\n')[0];
  return new Error(`${reason} DATA_DIR ${dataDir} has only ${megabytes} MB left: free some space and start again.`, {
    cause: error,
  });
}

function notWritableError(dataDir: string, path: string, { code = '', message }: NodeJS.ErrnoException): Error {
  const detail = path === dataDir ? '' : ` (${path})`;
  return new Error(
    `DATA_DIR ${dataDir} cannot be written by user ${currentUser()}: ${REASONS[code] ?? message}${detail}. Give that user ownership of the folder and its content, or set DATA_DIR to another one.`,
  );
}

function currentUser(): string {
  try {
    const { uid, username } = userInfo();
    return uid < 0 ? username : `${uid} (${username})`;
  } catch {
    // A container's uid may have no name.
    return String(process.getuid?.());
  }
}

/** Folder in DATA_DIR for unpacking. While its state file exists, the installation is incomplete. */
export const STAGING_FOLDER = 'archive-loading';
export const STATE_FILE = 'state.json';

/** @throws Error for the operator when loading an archive was interrupted */
export function requireNoInterruptedLoad(dataDir: string): void {
  if (existsSync(join(dataDir, STAGING_FOLDER, STATE_FILE)))
    throw new Error(
      `Loading an archive into ${dataDir} was interrupted. Repeat "npm run archive -- load FILE" with the same file, or remove ${join(dataDir, STAGING_FOLDER)} to start with an empty installation.`,
    );
}
