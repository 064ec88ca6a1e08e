import { recordServerEvent } from '../auth/audit.ts';
import type { Connection } from '../database/database.ts';
import type { Manifest } from './manifest.ts';

export type CheckResult = { outcome: 'whole'; madeAt: string } | { outcome: 'failed'; madeAt: null };

export const FAILED_CHECK: CheckResult = { outcome: 'failed', madeAt: null };

export async function recordCheck(db: Connection, { outcome, madeAt }: CheckResult): Promise<void> {
  await db.query(
    `insert into storage.archive_checks as known (outcome, at, made_at) values ($1, clock_timestamp(), $2::timestamptz)
     on conflict (outcome) do update set at = excluded.at, made_at = greatest(known.made_at, excluded.made_at)`,
    [outcome, madeAt],
  );
}

export async function recordArchive(db: Connection, { contents, madeAt }: Pick<Manifest, 'contents' | 'madeAt'>) {
  await recordServerEvent(db, { action: contents === 'accounts' ? 'accounts_archived' : 'archive_made' });
  // Other archives cannot restore the installation.
  if (contents === 'everything') await recordCheck(db, { outcome: 'whole', madeAt });
}

export async function readArchiveState(db: Connection) {
  const { rows } = await db.query<{ outcome: CheckResult['outcome']; at: Date; made_at: Date | null }>(
    'select outcome, at, made_at from storage.archive_checks',
  );
  const [intact, failed] = (['whole', 'failed'] as const).map((outcome) => rows.find((row) => row.outcome === outcome));
  return {
    wholeFrom: intact?.made_at?.toISOString() ?? null,
    failedAt: failed && !(intact && intact.at > failed.at) ? failed.at.toISOString() : null,
  };
}
