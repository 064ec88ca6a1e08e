import { existsSync } from 'node:fs';
import { join } from 'node:path';

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
