import { join } from 'node:path';
import type { Logger } from 'pino';
import type { OwnConfig } from './config/config.ts';
import { readProject, type SupabaseProject } from './config/supabase-config.ts';
import { requireNoInterruptedLoad, requireWritable } from './data-dir/require-writable.ts';
import type { Database } from './database/database.ts';
import { recordDatabase, requireDatabaseFolder, requireRecordedDatabase } from './database/database-record.ts';
import { migrate } from './database/migrate.ts';
import { createLog } from './http/log.ts';

export type Installation = { config: OwnConfig; project: SupabaseProject; log: Logger };

/** Checks files and folders, before a database is opened. @throws Error for the operator */
export async function checkInstallation(config: OwnConfig): Promise<Installation> {
  const { dataDir, backend, logLevel } = config;
  await requireWritable(dataDir);
  requireNoInterruptedLoad(dataDir);
  const project = await readProject(backend.supabaseDir);
  if (backend.database.kind === 'embedded') await requireDatabaseFolder(backend.database.folder, dataDir);
  return { config, project, log: createLog(logLevel) };
}

/** @returns the migrations that ran @throws Error for the operator: another database, or a failed migration */
export async function prepareDatabase(db: Database, { config, project, log }: Installation): Promise<string[]> {
  await requireRecordedDatabase(db, config.dataDir);
  const applied = await migrate(db, {
    platformDir: join(import.meta.dirname, 'database', 'platform'),
    migrationsDir: join(config.backend.supabaseDir, 'migrations'),
    log,
    canChange: config.backend.migrates,
  });
  await createBuckets(db, project);
  await recordDatabase(db, config.dataDir);
  return applied;
}

async function createBuckets(db: Database, { storage }: SupabaseProject): Promise<void> {
  for (const [name, bucket] of Object.entries(storage.buckets))
    await db.query(
      `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values ($1, $1, $2, $3, $4)
       on conflict do nothing`,
      [name, bucket.public, bucket.file_size_limit ?? null, bucket.allowed_mime_types ?? null],
    );
}
