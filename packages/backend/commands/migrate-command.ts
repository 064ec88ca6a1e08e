import { loadConfig, type OwnConfig } from '../config/config.ts';
import { explainError } from '../data-dir/require-writable.ts';
import { openDatabase } from '../database/open-database.ts';
import { checkInstallation, prepareDatabase } from '../installation.ts';

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

async function migrateInstallation(config: OwnConfig): Promise<string[]> {
  try {
    const installation = await checkInstallation({ ...config, logLevel: 'warn' });
    await using db = await openDatabase(config.backend.database, { log: installation.log });
    const releaseLock = await db.acquireStartLock();
    return await prepareDatabase(db, installation).finally(releaseLock);
  } catch (error) {
    throw await explainError(config.dataDir, error);
  }
}
