import type { Logger } from 'pino';
import type { DiskSpace } from '../data-dir/disk-space.ts';
import type { Connection, Database } from '../database/database.ts';
import { allowEssentialWrites, DatabaseError, DISK_FULL, findRow, hasFunction, hasRow } from '../database/database.ts';
import { isVersion, type Store } from './store.ts';

const ORPHAN_AGE = '24 hours';
/** Younger orphans need no retention: nothing in a backup refers to them. */
const UNUSED_AGE = '2 days';
const REMOVAL_BATCH_SIZE = 200;
const CORRECTION_TIMEOUT_MS = 10 * 60_000;

interface SweepDependencies {
  db: Database;
  log: Logger;
  store: Store;
  disk: DiskSpace;
  tempFiles: { removeAbandoned(): Promise<void> };
  uploads: { deleteExpired(): Promise<number> };
  /** How long bytes are retained after their row is deleted, unless a local disk is full. */
  retentionDays: number;
  isLocalDisk: boolean;
}

/** Deletions are rows in `storage.removed_bytes`. Once a week each shelf (first two hex digits) is compared with them. */
export class Sweep {
  readonly #storage: SweepDependencies;
  readonly #retention: string;
  #pauses = 0;
  constructor(storage: SweepDependencies) {
    this.#storage = storage;
    this.#retention = `${storage.retentionDays} days`;
  }

  async run() {
    await this.#storage.tempFiles.removeAbandoned();
    const expired = await this.#storage.uploads.deleteExpired();
    // First, because an object whose reference was lost is not an orphan.
    const correctedReferences = await this.#correctReferences();
    const orphans = await this.#deleteOrphans();
    const compared = await this.#compareStore();
    const removed = await this.#removeBytes(this.#retention);
    const result = { expired, correctedReferences, orphans, ...compared, removed };
    if (Object.values(result).some((count) => count > 0)) this.#storage.log.info(result, 'swept storage');
    return result;
  }

  /** Pauses removals until the returned function is called, so that an archive gets a consistent set of objects. */
  pauseRemovals(): () => void {
    this.#pauses++;
    let isPaused = true;
    return () => {
      if (isPaused) this.#pauses--;
      isPaused = false;
    };
  }

  async freeSpace(): Promise<void> {
    const { isLocalDisk, disk, log, uploads } = this.#storage;
    if (!isLocalDisk || (await disk.has('files'))) return;
    const freed = this.#removeBytes('0').finally(() => uploads.deleteExpired());
    await freed.catch((err: unknown) => log.warn({ err }, 'freeing disk space failed'));
  }

  async #correctReferences(): Promise<number> {
    const { db, log } = this.#storage;
    const text = `update storage.compared_shelves set compared_at = now()
       where shelf = 'references' and compared_at < now() - interval '7 days'
         and to_regprocedure('private.repair_object_references()') is not null
       returning shelf`;
    if (!(await hasRow(db, text))) return 0;
    const { rows } = await db.transaction(
      (tx) => tx.query<{ missing: number; surplus: number }>('select * from private.repair_object_references()'),
      { timeoutMs: CORRECTION_TIMEOUT_MS },
    );
    const { missing, surplus } = rows[0]!;
    if (missing || surplus) log.error({ missing, surplus }, 'object references were wrong and have been corrected');
    return missing + surplus;
  }

  async #deleteOrphans(): Promise<number> {
    const { db } = this.#storage;
    await db.query('delete from storage.sent_objects where sent_at <= now() - $1::interval', [ORPHAN_AGE]);
    if (!(await hasOrphanFunction(db))) return 0;
    const { rows } = await db.query<{ version: string; isUnused: boolean }>(
      `select version, created_at > now() - $2::interval as "isUnused" from private.remove_objects($1::interval)`,
      [ORPHAN_AGE, UNUSED_AGE],
    );
    // A day's grace for a copy that is in progress.
    const unusedVersions = rows.filter(({ isUnused }) => isUnused).map(({ version }) => version);
    if (unusedVersions.length)
      await db.query(
        `update storage.removed_bytes set removed_at = now() - $2::interval + interval '1 day' where version = any($1)`,
        [unusedVersions, this.#retention],
      );
    return rows.length;
  }

  async #removeBytes(retention: string): Promise<number> {
    const { db, store, disk } = this.#storage;
    for (let removed = 0, unwritten = 0; ; ) {
      const { rows } = await db.query<{ version: string; isReferenced: boolean }>(
        `select version, exists (select from storage.objects where objects.version = removed_bytes.version) as "isReferenced"
         from storage.removed_bytes where removed_at <= now() - $1::interval order by removed_at limit ${REMOVAL_BATCH_SIZE} offset $2`,
        [retention, unwritten],
      );
      const processed: string[] = [];
      for (const { version, isReferenced } of rows) {
        if (this.#pauses) break;
        // The row may have been restored from a backup.
        if (!isReferenced && isVersion(version)) {
          await store.remove(version);
          removed++;
        }
        processed.push(version);
      }
      if (processed.length)
        await allowEssentialWrites(db)
          .query('delete from storage.removed_bytes where version = any($1)', [processed])
          .catch((error: unknown) => {
            // A later run deletes the rows, with the space that these bytes leave.
            if (!(error instanceof DatabaseError && error.code === DISK_FULL)) throw error;
            unwritten += processed.length;
          });
      if (processed.length < REMOVAL_BATCH_SIZE || (retention === '0' && (await disk.has('files')))) return removed;
    }
  }

  async #compareStore(): Promise<{ leftovers: number; missing: number }> {
    const { db, log } = this.#storage;
    const result = { leftovers: 0, missing: 0 };
    // An empty table with a full store means the wrong database, not that all bytes are unreferenced.
    const { rows: objects } = await db.query('select from storage.objects limit 1');
    for (;;) {
      const { rows } = await db.query<{ shelf: string }>(
        `update storage.compared_shelves set compared_at = now() where shelf in
           (select shelf from storage.compared_shelves
            where shelf <> 'references' and compared_at < now() - interval '7 days' and ($1 or shelf = 'unfinished')
            order by compared_at limit 16 for update skip locked)
         returning shelf`,
        [objects.length > 0],
      );
      for (const { shelf } of rows) {
        if (shelf === 'unfinished') await this.#comparePendingUploads();
        else await this.#compareShelf(shelf, result);
      }
      if (!rows.length) break;
    }
    if (result.missing) log.error(result, 'objects have no data: restore them from a backup of the files');
    return result;
  }

  async #compareShelf(shelf: string, result: { leftovers: number; missing: number }): Promise<void> {
    const { db, store } = this.#storage;
    const { rows } = await db.query<{ version: string }>(
      'select distinct version from storage.objects where version > $1 and version like $2',
      [shelf, `${shelf}%`],
    );
    const unlisted = new Set(rows.map(({ version }) => version));
    for await (const { name } of store.list(shelf)) {
      if (unlisted.delete(name) || !isVersion(name)) continue;
      // A day's grace for an upload whose row is not yet committed.
      const { affected } = await db.query(
        `insert into storage.removed_bytes (version, removed_at) values ($1, now() - $2::interval + interval '1 day')
         on conflict do nothing`,
        [name, this.#retention],
      );
      result.leftovers += affected;
    }
    for (const version of unlisted) {
      const opened = await store.open(version, 'original');
      await opened?.close();
      if (!opened) result.missing++;
    }
  }

  async #comparePendingUploads(): Promise<void> {
    const { db, store } = this.#storage;
    for await (const { name } of store.list('unfinished')) {
      if (!isVersion(name)) continue;
      const { rows } = await db.query('select from storage.unfinished_uploads where token = $1', [name]);
      if (!rows.length) await store.remove(`unfinished/${name}`);
    }
  }
}

/** Orphaned bytes uploaded within the last day, in all and of one owner, for limits. */
export async function countOrphanedBytes(db: Connection, owner: string): Promise<{ all: number; own: number }> {
  if (!(await hasOrphanFunction(db))) return { all: 0, own: 0 };
  const text = `select coalesce(sum(size), 0)::int8 as all, coalesce(sum(size) filter (where owner = $1), 0)::int8 as own
     from (
       select sent.owner, (objects.metadata ->> 'size')::int8 as size
       from storage.sent_objects sent join storage.objects using (version)
         join private.removable_objects('0') orphan using (bucket_id, name)
     ) unused`;
  return (await findRow<{ all: number; own: number }>(db, text, [owner]))!;
}

/** To be called before the object is recorded, so that a crash loses no count. */
export const recordSent = (db: Connection, owner: string | null, version: string) =>
  db.query('insert into storage.sent_objects (version, owner) values ($1, $2)', [version, owner]);

/** The product defines orphans in a function of its own; a project without it has none. */
const hasOrphanFunction = (db: Connection) => hasFunction(db, 'private.removable_objects(interval)');
