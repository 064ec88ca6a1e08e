import type { Config, OwnBackend } from '../config.ts';
import { refuseHalfLoaded } from './archive/half-loaded.ts';
import { readProject } from './config/supabase-config.ts';
import { removeOldCopies } from './data-dir/copies.ts';
import { keepRemembering, refuseMissingFolder } from './data-dir/known-database.ts';
import { inWords, mustBeWritable } from './data-dir/writable.ts';
import { openDatabase, REQUEST_WAIT_MS } from './database/open.ts';
import { prepareDatabase } from './database/prepare.ts';
import { DiskSpace } from './disk-space.ts';
import { createLog } from './http/log.ts';
import type { Measures, Services } from './services.ts';

export type { Problem } from './database/readiness.ts';
export type { Measures };

export interface Backend extends Services {
  /** The room for everything below DATA_DIR. */
  disk: DiskSpace;
  /**
   * Hears of every change to what is shown, from when it resolves.
   * @param heard something has changed, or may have while nothing was heard
   * @param away nothing is heard any more until `heard` is called
   */
  onChange(heard: () => void, away: () => void): Promise<void>;
  /**
   * Calls `changed` with `bucket/name` of each stored file whose public response may have changed, with nothing when any
   * may have; from when it resolves.
   * @param away changes cannot be noticed until `changed` is called with nothing
   */
  onFileChange(changed: (file: string) => void, away: () => void): Promise<void>;
  /** Resolves when every change that was made before has been told to those who asked for it, or they know better. */
  caughtUp(): Promise<void>;
}

const START_WAIT_MS = 120_000;

/**
 * Opens the database, brings it up to date and starts the four services.
 * @param meanwhile work that needs no database, done while that is opened
 * @throws Error with one line for the operator when the folder is in use or cannot be written, the database is not the
 * one that was here, a migration fails or a setting does not hold
 */
export async function createBackend(
  config: Config & { backend: OwnBackend },
  meanwhile?: () => void,
): Promise<Backend> {
  const { dataDir } = config;
  try {
    await mustBeWritable(dataDir);
    return await startBackend(config, meanwhile);
  } catch (error) {
    throw await inWords(dataDir, error);
  }
}

async function startBackend(config: Config & { backend: OwnBackend }, meanwhile?: () => void): Promise<Backend> {
  const own = config.backend;
  refuseHalfLoaded(config.dataDir);
  const log = createLog(config.logLevel);
  const project = await readProject(own.supabaseDir);
  for (const warning of project.warnings) log.warn({ warning }, 'config.toml does not apply in full');
  // Nobody waits for an answer yet: on a busy machine a start takes its time rather than giving up.
  let waitMs = START_WAIT_MS;
  if (own.database.kind === 'embedded') await refuseMissingFolder(own.database.folder, config.dataDir);
  // A start is let write while there is any room at all; its operator is there to see what it says.
  let serving = false;
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const room = { disk, refuses: () => serving };
  const db = await openDatabase(own.database, {
    log,
    waitMs: () => waitMs,
    room,
    meanwhile() {
      // Some five hundred files, which nothing before this needs. A failure is met where they are used.
      import('./services.ts').catch(() => undefined);
      meanwhile?.();
    },
  });
  try {
    const { startServices } = await import('./services.ts');
    // Of several that start on one server the first makes tables, seed and setup key; the others find them.
    const letOthersStart = await db.beAlone();
    await prepareDatabase(db, { config, project, log });
    const stopRemembering = keepRemembering(db, config.dataDir, log);
    const running = await startServices({ config, project, db, disk, log });
    if (db.folder) await removeOldCopies(db.folder);
    // A key that nobody has read is made anew by whoever starts next.
    if (!running.generatedSetupKey) await letOthersStart();
    waitMs = REQUEST_WAIT_MS;
    serving = true;
    return {
      ...running,
      disk,
      setupKeyPrinted: () => running.setupKeyPrinted().finally(letOthersStart),
      onChange: (heard, away) => db.listen('site_changed', heard, away),
      onFileChange: (changed, away) => db.listen('stored_file_changed', changed, away),
      caughtUp: () => db.caughtUp(),
      async close() {
        await running.close();
        await stopRemembering();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
