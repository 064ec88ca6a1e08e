import type { Logger } from 'pino';
import type { ObjectsChoice } from '../config/config.ts';
import { type Connection, findRow } from '../database/database.ts';
import { DiskStore, openDiskStore } from './disk-store.ts';
import type { Store } from './store.ts';

/** @throws Error with one line for the operator when the bucket is unusable or belongs to another installation */
export async function openStore(
  choice: ObjectsChoice,
  { db, createTempPath, log }: { db: Connection; createTempPath: () => string; log: Logger },
): Promise<Store> {
  if (choice.kind === 'disk') return openDiskStore(choice.folder, createTempPath);
  const { S3Store } = await import('./s3/s3-store.ts');
  const store = new S3Store(choice, createTempPath, await readInstallationId(db));
  const problem = await store.start();
  if (problem) log.error({ reason: problem }, 'S3 unreachable: files unavailable until it responds');
  return store;
}

export async function openReadOnlyStore(choice: ObjectsChoice): Promise<Pick<Store, 'open'>> {
  if (choice.kind === 'disk') return new DiskStore(choice.folder);
  const { S3Store } = await import('./s3/s3-store.ts');
  return new S3Store(choice, () => '', null);
}

async function readInstallationId(db: Connection): Promise<string> {
  await db.query('insert into storage.installation default values on conflict do nothing');
  return (await findRow<{ id: string }>(db, 'select id::text from storage.installation'))!.id;
}
