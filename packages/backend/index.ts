import type { CleanRichText } from './context.ts';
import { DiskSpace } from './data-dir/disk-space.ts';
import { explainError } from './data-dir/require-writable.ts';
import type { Database } from './database/database.ts';
import { removeOldCopies } from './database/database-copies.ts';
import { startRecording } from './database/database-record.ts';
import { openDatabase, REQUEST_WAIT_MS } from './database/open-database.ts';
import { checkInstallation, type Installation, prepareDatabase } from './installation.ts';
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
 * Starts in four stages: checks the installation, opens its database, prepares that, and starts the services.
 * @throws Error for the operator: folder in use or not writable, wrong database, failed migration, invalid setting
 */
export async function createBackend(config: Installation['config'], options: BackendOptions): Promise<Backend> {
  try {
    const installation = await checkInstallation(config);
    for (const warning of installation.project.warnings)
      installation.log.warn({ warning }, 'config.toml does not apply in full');
    const opened = await open(installation, options);
    try {
      // Of concurrent starts on one database server the first creates tables, seed and setup key.
      const releaseStartLock = await opened.db.acquireStartLock();
      await prepareDatabase(opened.db, installation);
      return await serve(installation, opened, options, releaseStartLock);
    } catch (error) {
      await opened.db.close();
      throw error;
    }
  } catch (error) {
    throw await explainError(config.dataDir, error);
  }
}

interface OpenedDatabase {
  db: Database;
  disk: DiskSpace;
  /** From now on clients wait: shorter queues, and writes respect the disk reserve. */
  startServing(): void;
}

async function open({ config, log }: Installation, { meanwhile }: BackendOptions): Promise<OpenedDatabase> {
  // No client waits yet: on a busy machine the start may take longer, and it may use the disk reserve.
  let isServing = false;
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const db = await openDatabase(config.backend.database, {
    log,
    maxWaitMs: () => (isServing ? REQUEST_WAIT_MS : START_WAIT_MS),
    writeGuard: { disk, isEnforced: () => isServing },
    whileOpening() {
      // Preloads some 500 modules while the database opens. Failures surface at the import below.
      import('./services.ts').catch(() => undefined);
      meanwhile?.();
    },
  });
  return { db, disk, startServing: () => (isServing = true) };
}

async function serve(
  { config, project, log }: Installation,
  { db, disk, startServing }: OpenedDatabase,
  { cleanRichText }: BackendOptions,
  releaseStartLock: () => Promise<void>,
): Promise<Backend> {
  const { startServices } = await import('./services.ts');
  const stopRecording = startRecording(db, config.dataDir, log);
  const services = await startServices({ config, project, db, disk, log, cleanRichText });
  if (db.folder) await removeOldCopies(db.folder);
  // A setup key that was never printed is recreated by the next start, so it must wait.
  if (!services.generatedSetupKey) await releaseStartLock();
  startServing();
  return {
    ...services,
    disk,
    setupKeyPrinted: () => services.setupKeyPrinted().finally(releaseStartLock),
    onChange: (onChanged, onGap) => db.listen('site_changed', onChanged, onGap),
    onFileChange: (changed, onGap) => db.listen('stored_file_changed', changed, onGap),
    caughtUp: () => db.waitForNotifications(),
    async close() {
      await services.close();
      await stopRecording();
      await db.close();
    },
  };
}
