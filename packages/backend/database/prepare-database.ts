import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config, OwnBackend } from '../config/config.ts';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { recordDatabase, requireRecordedDatabase } from '../data-dir/database-record.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';

/**
 * @returns the migrations that ran @throws Error for the operator when it is another database, or cannot be migrated
 */
export async function prepareDatabase(
  db: Database,
  { config, project, log }: { config: Config & { backend: OwnBackend }; project: SupabaseProject; log: Logger },
): Promise<string[]> {
  await requireRecordedDatabase(db, config.dataDir);
  const applied = await migrate(db, {
    platformDir: join(import.meta.dirname, 'platform'),
    migrationsDir: join(config.backend.supabaseDir, 'migrations'),
    log,
    canChange: config.backend.migrates,
  });
  await createBuckets(db, project);
  await recordDatabase(db, config.dataDir);
  return applied;
}

async function createBuckets(db: Database, { storage }: SupabaseProject): Promise<void> {
  for (const [name, { public: isPublic, file_size_limit: limit, allowed_mime_types: types }] of Object.entries(
    storage.buckets,
  ))
    await db.query(
      `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values ($1, $1, $2, $3, $4)
       on conflict do nothing`,
      [name, isPublic, limit ?? null, types ?? null],
    );
}
