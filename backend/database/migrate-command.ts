import { type Config, loadConfig, type OwnBackend } from '../../config.ts';
import { refuseHalfLoaded } from '../archive/half-loaded.ts';
import { readProject } from '../config/supabase-config.ts';
import { refuseMissingFolder } from '../data-dir/known-database.ts';
import { inWords, mustBeWritable } from '../data-dir/writable.ts';
import { createLog } from '../http/log.ts';
import { openDatabase } from './open.ts';
import { prepareDatabase } from './prepare.ts';

try {
  const config = await loadConfig();
  if (config.backend.kind === 'hosted')
    throw new Error('SUPABASE_URL names a hosted project: migrate its database with the Supabase CLI.');
  const ran = await migrateHouse({ ...config, backend: { ...config.backend, migrates: true } });
  console.log(ran.length ? `Database migrated: ${ran.join(', ')}.` : 'The database is up to date.');
} catch (error) {
  console.error(`Cannot migrate: ${(error as Error).message}`);
  process.exit(1);
}

async function migrateHouse(config: Config & { backend: OwnBackend }): Promise<string[]> {
  const { dataDir, backend } = config;
  try {
    await mustBeWritable(dataDir);
    refuseHalfLoaded(dataDir);
    if (backend.database.kind === 'embedded') await refuseMissingFolder(backend.database.folder, dataDir);
    const log = createLog('warn');
    const project = await readProject(backend.supabaseDir);
    const db = await openDatabase(backend.database, { log });
    try {
      const letOthersStart = await db.beAlone();
      return await prepareDatabase(db, { config, project, log }).finally(letOthersStart);
    } finally {
      await db.close();
    }
  } catch (error) {
    throw await inWords(dataDir, error);
  }
}
