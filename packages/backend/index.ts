import { requireNoInterruptedLoad } from './archive/interrupted-load.ts';
import type { Config, OwnBackend } from './config/config.ts';
import { readProject } from './config/supabase-config.ts';
import type { CleanRichText } from './context.ts';
import { removeOldCopies } from './data-dir/database-copies.ts';
import { requireDatabaseFolder, startRecording } from './data-dir/database-record.ts';
import { DiskSpace } from './data-dir/disk-space.ts';
import { explainError, requireWritable } from './data-dir/require-writable.ts';
import { openDatabase, REQUEST_WAIT_MS } from './database/open-database.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { createLog } from './http/log.ts';
import type { Measures, Services } from './services.ts';

export type { Problem } from './database/readiness.ts';
export type { Measures };

export interface Backend extends Services {
  disk: DiskSpace;
  /** Active once resolved. The first callback reports a change or a gap, `away` that changes are missed until then. */
  onChange(onChanged: () => void, onGap: () => void): Promise<void>;
  /**
   * Subscribes to stored files whose public response may have changed (`bucket/name`; empty: any file).
   * @param onGap notifications are lost until `changed` is called with an empty name
   */
  onFileChange(changed: (file: string) => void, onGap: () => void): Promise<void>;
  /** Resolves when subscribers have received all earlier changes, or know that notifications were lost. */
  caughtUp(): Promise<void>;
}

const START_WAIT_MS = 120_000;

export interface BackendOptions {
  cleanRichText: CleanRichText;
  /** Work without the database, run while it opens. */
  meanwhile?: (() => void) | undefined;
}

/**
 * Opens and migrates the database and starts the services.
 * @throws Error for the operator: folder in use or not writable, wrong database, failed migration, invalid setting
 */
export async function createBackend(
  config: Config & { backend: OwnBackend },
  options: BackendOptions,
): Promise<Backend> {
  const { dataDir } = config;
  try {
    await requireWritable(dataDir);
    return await startBackend(config, options);
  } catch (error) {
    throw await explainError(dataDir, error);
  }
}

async function startBackend(
  config: Config & { backend: OwnBackend },
  { cleanRichText, meanwhile }: BackendOptions,
): Promise<Backend> {
  const own = config.backend;
  requireNoInterruptedLoad(config.dataDir);
  const log = createLog(config.logLevel);
  const project = await readProject(own.supabaseDir);
  for (const warning of project.warnings) log.warn({ warning }, 'config.toml does not apply in full');
  // No client waits yet: on a busy machine the start may take longer.
  let waitMs = START_WAIT_MS;
  if (own.database.kind === 'embedded') await requireDatabaseFolder(own.database.folder, config.dataDir);
  // Until it serves requests, the start may use the disk reserve; the operator sees its output.
  let isServing = false;
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const writeGuard = { disk, isEnforced: () => isServing };
  const db = await openDatabase(own.database, {
    log,
    maxWaitMs: () => waitMs,
    writeGuard,
    whileOpening() {
      // Preloads some 500 modules while the database opens. Failures surface at the import below.
      import('./services.ts').catch(() => undefined);
      meanwhile?.();
    },
  });
  try {
    const { startServices } = await import('./services.ts');
    // Of concurrent starts on one database server the first creates tables, seed and setup key.
    const releaseStartLock = await db.acquireStartLock();
    await prepareDatabase(db, { config, project, log });
    const stopRemembering = startRecording(db, config.dataDir, log);
    const running = await startServices({ config, project, db, disk, log, cleanRichText });
    if (db.folder) await removeOldCopies(db.folder);
    // A setup key that was never printed is recreated by the next start, so it must wait.
    if (!running.generatedSetupKey) await releaseStartLock();
    waitMs = REQUEST_WAIT_MS;
    isServing = true;
    return {
      ...running,
      disk,
      setupKeyPrinted: () => running.setupKeyPrinted().finally(releaseStartLock),
      onChange: (onChanged, onGap) => db.listen('site_changed', onChanged, onGap),
      onFileChange: (changed, onGap) => db.listen('stored_file_changed', changed, onGap),
      caughtUp: () => db.waitForNotifications(),
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
