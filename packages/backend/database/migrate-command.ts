import { requireNoInterruptedLoad } from '../archive/interrupted-load.ts';
import { type Config, loadConfig, type OwnBackend } from '../config/config.ts';
import { readProject } from '../config/supabase-config.ts';
import { requireDatabaseFolder } from '../data-dir/database-record.ts';
import { explainError, requireWritable } from '../data-dir/require-writable.ts';
import { createLog } from '../http/log.ts';
import { openDatabase } from './open-database.ts';
import { prepareDatabase } from './prepare-database.ts';

try {
  const config = await loadConfig();
  if (config.backend.kind === 'hosted')
    throw new Error('SUPABASE_URL names a hosted project: migrate its database with the Supabase CLI.');
  const applied = await migrateInstallation({ ...config, backend: { ...config.backend, migrates: true } });
  console.log(applied.length ? `Database migrated: ${applied.join(', ')}.` : 'The database is up to date.');
} catch (error) {
  console.error(`Cannot migrate: ${(error as Error).message}`);
  process.exit(1);
}

async function migrateInstallation(config: Config & { backend: OwnBackend }): Promise<string[]> {
  const { dataDir, backend } = config;
  try {
    await requireWritable(dataDir);
    requireNoInterruptedLoad(dataDir);
    if (backend.database.kind === 'embedded') await requireDatabaseFolder(backend.database.folder, dataDir);
    const log = createLog('warn');
    const project = await readProject(backend.supabaseDir);
    const db = await openDatabase(backend.database, { log });
    try {
      const releaseLock = await db.acquireStartLock();
      return await prepareDatabase(db, { config, project, log }).finally(releaseLock);
    } finally {
      await db.close();
    }
  } catch (error) {
    throw await explainError(dataDir, error);
  }
}
