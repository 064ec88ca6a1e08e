import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from './database.ts';
import { createAtomically } from './pglite/database-folder.ts';

const KEPT_COPIES = 2;
/** Offsets and values in `global/pg_control`. */
const STATE_OFFSET = 16;
const SHUT_DOWN_STATE = 1;

const recoveryCopyPath = (folder: string) => `${folder}.before-recovery`;

export async function copyBeforeMigrating(db: Database, version: string, log: Logger): Promise<void> {
  if (!db.folder || !db.copyFolder) return;
  const copy = `${db.folder}.before-${version}-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  await db.copyFolder(copy);
  log.info({ copy }, 'database folder copied before migrating');
}

/** Recovery overwrites the log after a damaged place, so copy it first. An existing copy is older and is kept. */
export async function copyBeforeRecovery(folder: string, log: Logger): Promise<void> {
  const pgControl = await readFile(join(folder, 'global', 'pg_control'));
  if (pgControl.readUInt32LE(STATE_OFFSET) === SHUT_DOWN_STATE) return;
  const copy = recoveryCopyPath(folder);
  if ((await readdir(dirname(folder))).includes(basename(copy))) return;
  await createAtomically(copy, async (partPath) => {
    await mkdir(join(partPath, 'global'), { recursive: true, mode: 0o700 });
    await cp(join(folder, 'pg_wal'), join(partPath, 'pg_wal'), { recursive: true });
    await cp(join(folder, 'global', 'pg_control'), join(partPath, 'global', 'pg_control'));
  }).catch(async (error: Error) => {
    log.warn({ error: error.message }, 'copying the database log before recovery failed');
    await removeSiblings(folder, (name) => name.startsWith(basename(copy)));
  });
}

/** After a successful start: keeps the newest two copies made before migrations, and none of a log. */
export async function removeOldCopies(folder: string): Promise<void> {
  const copy = new RegExp(`^${RegExp.escape(basename(folder))}\\.before-(?:\\d+|platform)-(\\d{14})$`);
  const incomplete = new RegExp(`^${RegExp.escape(basename(folder))}\\.before-[\\w-]+\\.new-\\d+$`);
  const timestampOf = (name: string) => copy.exec(name)?.[1];
  const copies = (await readdir(dirname(folder)))
    .filter(timestampOf)
    .sort((a, b) => timestampOf(b)!.localeCompare(timestampOf(a)!));
  const old = new Set(copies.slice(KEPT_COPIES));
  await removeSiblings(
    folder,
    (name) => old.has(name) || incomplete.test(name) || name.startsWith(basename(recoveryCopyPath(folder))),
  );
}

async function removeSiblings(folder: string, shouldRemove: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(dirname(folder))).filter(shouldRemove))
    await rm(join(dirname(folder), name), { recursive: true, force: true });
}
