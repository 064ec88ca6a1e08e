import type { OwnConfig } from './config/config.ts';
import type { CleanRichText, EmailLayout } from './context.ts';
import { DiskSpace } from './data-dir/disk-space.ts';
import { explainError } from './data-dir/require-writable.ts';
import { removeOldCopies } from './database/database-copies.ts';
import { startRecording } from './database/database-record.ts';
import { openDatabase, REQUEST_WAIT_MS } from './database/open-database.ts';
import { checkInstallation, type Installation, prepareDatabase } from './installation.ts';
import type { Measures } from './services.ts';

export { ownBackendConfig } from './config/config.ts';
export type { Problem } from './database/readiness.ts';
export type { Measures };

export type Backend = Awaited<ReturnType<typeof serve>>;

const START_WAIT_MS = 120_000;

export interface BackendOptions {
  cleanRichText: CleanRichText;
  emailLayout?: EmailLayout;
  /** Work without the database, run while it opens. */
  meanwhile?: (() => void) | undefined;
}

/** @throws Error for the operator: folder in use or not writable, wrong database, failed migration, invalid setting */
export async function createBackend(config: OwnConfig, options: BackendOptions): Promise<Backend> {
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

async function open({ config, log }: Installation, { meanwhile }: BackendOptions) {
  // No client waits yet: on a busy machine the start may take longer, and it may use the disk reserve.
  let isServing = false;
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const db = await openDatabase(config.backend.database, {
    log,
    allowedMs: config.backend.databaseMsPerMinute,
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
  { db, disk, startServing }: Awaited<ReturnType<typeof open>>,
  { cleanRichText, emailLayout }: BackendOptions,
  releaseStartLock: () => Promise<void>,
) {
  const { startServices } = await import('./services.ts');
  const stopRecording = startRecording(db, config.dataDir, log);
  const services = await startServices({ config, project, db, disk, log, cleanRichText, emailLayout });
  if (db.folder) await removeOldCopies(db.folder);
  // A setup key that was never printed is recreated by the next start, so it must wait.
  if (!services.generatedSetupKey) await releaseStartLock();
  startServing();
  return {
    ...services,
    disk,
    setupKeyPrinted: () => services.setupKeyPrinted().finally(releaseStartLock),
    /** Active once resolved. After a gap, changes are missed until the next call of `onChanged`. */
    onChange: (onChanged: () => void, onGap: () => void) => db.listen('site_changed', onChanged, onGap),
    /** @param onChanged gets `bucket/name` of a file whose public response may have changed; empty: any file */
    onFileChange: (onChanged: (file: string) => void, onGap: () => void) =>
      db.listen('stored_file_changed', onChanged, onGap),
    /** Resolves when subscribers have received all earlier changes, or know that notifications were lost. */
    caughtUp: () => db.waitForNotifications(),
    async close() {
      await services.close();
      await stopRecording();
      await db.close();
    },
  };
}
