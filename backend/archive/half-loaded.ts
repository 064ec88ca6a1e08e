import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where an archive is unpacked, in DATA_DIR. While its state is there, the house is not whole. */
export const LOADING = 'archive-loading';
export const STATE = 'state.json';

/** @throws Error with one line for the operator when the loading of an archive was cut off */
export function refuseHalfLoaded(dataDir: string): void {
  if (existsSync(join(dataDir, LOADING, STATE)))
    throw new Error(
      `Loading an archive into ${dataDir} was interrupted. Repeat "npm run archive -- load FILE" with the same file, or remove ${join(dataDir, LOADING)} to start with an empty installation.`,
    );
}
