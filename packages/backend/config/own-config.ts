import { existsSync } from 'node:fs';
import { type Config, loadConfig, type OwnBackend } from './config.ts';

export async function ownBackendConfig(): Promise<Config & { backend: OwnBackend }> {
  const config = await loadConfig();
  if (config.backend.kind === 'hosted')
    throw new Error('SUPABASE_URL is set: a hosted project has its own database. Unset it for this command.');
  return config as Config & { backend: OwnBackend };
}

export function requireFirstStart({
  dataDir,
  keysFile,
  backend: { database },
}: Awaited<ReturnType<typeof ownBackendConfig>>): void {
  if (existsSync(keysFile) && (database.kind !== 'embedded' || existsSync(database.folder))) return;
  throw new Error(`${dataDir} has no installation yet: check DATA_DIR, or start it once (SEED=none npm start).`);
}
