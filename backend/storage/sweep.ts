import type { StorageContext } from './context.ts';
import { isVersion } from './store.ts';

const AFTER = '24 hours';
/** Unused bytes need no backup retention: nothing in a backup refers to them. */
const NEVER_USED = '2 days';
const AT_ONCE = 200;
const MENDING_MS = 10 * 60_000;

export interface Swept {
  orphans: number;
  mended: number;
  leftovers: number;
  missing: number;
  expired: number;
  removed: number;
}

/** Deletions are rows (`storage.removed_bytes`); each shelf of the store is compared with the rows once a week. */
export class Sweep {
  readonly #house: StorageContext;
  readonly #keptFor: string;
  readonly #makesRoom: boolean;
  #holders = 0;

  /**
   * @param keepDays how long bytes outlive their row
   * @param makesRoom true for a local disk: when it is full, bytes are removed earlier
   */
  constructor(house: StorageContext, { keepDays, makesRoom }: { keepDays: number; makesRoom: boolean }) {
    this.#house = house;
    this.#keptFor = `${keepDays} days`;
    this.#makesRoom = makesRoom;
  }

  async run(): Promise<Swept> {
    await this.#house.scratch.removeLeft();
    const expired = await this.#house.resumable.expire();
    // First: an object whose reference was lost is in use.
    const mended = await this.#mendReferences();
    const orphans = await this.#orphans();
    const compared = await this.#compare();
    const swept = { expired, mended, orphans, ...compared, removed: await this.#removeBytes(this.#keptFor) };
    await this.makeRoom();
    if (Object.values(swept).some((count) => count > 0)) this.#house.log.info(swept, 'swept');
    return swept;
  }

  /** No bytes are removed until the returned function is called, so that a reader gets a consistent set of objects. */
  holdRemovals(): () => void {
    this.#holders++;
    let held = true;
    return () => {
      if (held) this.#holders--;
      held = false;
    };
  }

  async makeRoom(): Promise<void> {
    if (this.#makesRoom && !(await this.#house.disk.has('files'))) await this.#removeBytes('0');
  }

  /** Compares the recorded references to objects with the content of all records. */
  async #mendReferences(): Promise<number> {
    const { db, log } = this.#house;
    const { rows: due } = await db.query(
      `update storage.compared_shelves set compared_at = now()
       where shelf = 'references' and compared_at < now() - interval '7 days'
         and to_regprocedure('private.mend_object_references()') is not null
       returning shelf`,
    );
    if (!due.length) return 0;
    const { rows } = await db.transaction(
      (tx) => tx.query<{ missing: number; surplus: number }>('select * from private.mend_object_references()'),
      { timeoutMs: MENDING_MS },
    );
    const { missing, surplus } = rows[0]!;
    if (missing || surplus) log.error({ missing, surplus }, 'object references were wrong and have been corrected');
    return missing + surplus;
  }

  async #orphans(): Promise<number> {
    const { db } = this.#house;
    await db.query('delete from storage.sent_objects where sent_at <= now() - $1::interval', [AFTER]);
    if (!(await knowsOrphans(this.#house))) return 0;
    const { rows } = await db.query<{ version: string; young: boolean }>(
      `delete from storage.objects using private.orphaned_objects($1::interval) orphan
       where objects.bucket_id = orphan.bucket_id and objects.name = orphan.name
       returning objects.version, objects.created_at > now() - $2::interval as young`,
      [AFTER, NEVER_USED],
    );
    // A day's grace for a copy that is in progress.
    const unused = rows.filter(({ young }) => young).map(({ version }) => version);
    if (unused.length)
      await db.query(
        `update storage.removed_bytes set removed_at = now() - $2::interval + interval '1 day' where version = any($1)`,
        [unused, this.#keptFor],
      );
    return rows.length;
  }

  async #removeBytes(keptFor: string): Promise<number> {
    const { db, store, disk } = this.#house;
    for (let removed = 0; ; ) {
      const { rows } = await db.query<{ version: string; used: boolean }>(
        `select version, exists (select from storage.objects where objects.version = removed_bytes.version) as used
         from storage.removed_bytes where removed_at <= now() - $1::interval order by removed_at limit ${AT_ONCE}`,
        [keptFor],
      );
      const done: string[] = [];
      for (const { version, used } of rows) {
        if (this.#holders) break;
        // A restored row needs its bytes.
        if (!used && isVersion(version)) {
          await store.remove(version);
          removed++;
        }
        done.push(version);
      }
      if (done.length) await db.query('delete from storage.removed_bytes where version = any($1)', [done]);
      if (done.length < AT_ONCE || (keptFor === '0' && (await disk.has('files')))) return removed;
    }
  }

  async #compare(): Promise<{ leftovers: number; missing: number }> {
    const { db, log } = this.#house;
    const found = { leftovers: 0, missing: 0 };
    // An empty table beside a full store is more likely the wrong database.
    const { rows: known } = await db.query('select from storage.objects limit 1');
    for (;;) {
      const { rows } = await db.query<{ shelf: string }>(
        `update storage.compared_shelves set compared_at = now() where shelf in
           (select shelf from storage.compared_shelves
            where shelf <> 'references' and compared_at < now() - interval '7 days' and ($1 or shelf = 'unfinished')
            order by compared_at limit 16 for update skip locked)
         returning shelf`,
        [known.length > 0],
      );
      for (const { shelf } of rows) {
        if (shelf === 'unfinished') await this.#compareUnfinished();
        else await this.#compareShelf(shelf, found);
      }
      if (!rows.length) break;
    }
    if (found.missing) log.error(found, 'objects have no data: restore them from a backup of the files');
    return found;
  }

  async #compareShelf(shelf: string, found: { leftovers: number; missing: number }): Promise<void> {
    const { db, store } = this.#house;
    const rows = this.#versionsOf(shelf);
    let row = await rows.next();
    const isThere = async (version: string) => {
      const opened = await store.open(version, 'original');
      await opened?.close();
      return opened !== null;
    };
    for await (const { name } of store.list(shelf)) {
      for (; !row.done && row.value < name; row = await rows.next()) if (!(await isThere(row.value))) found.missing++;
      if (!row.done && row.value === name) row = await rows.next();
      else if (isVersion(name)) {
        // A day's grace for an upload whose row is not yet committed.
        const { affected } = await db.query(
          `insert into storage.removed_bytes (version, removed_at) values ($1, now() - $2::interval + interval '1 day')
           on conflict do nothing`,
          [name, this.#keptFor],
        );
        found.leftovers += affected;
      }
    }
    for (; !row.done; row = await rows.next()) if (!(await isThere(row.value))) found.missing++;
  }

  async *#versionsOf(shelf: string): AsyncGenerator<string, undefined> {
    for (let last = ''; ; ) {
      const { rows } = await this.#house.db.query<{ version: string }>(
        `select distinct version from storage.objects where version > $1 and version like $2 order by version limit 1000`,
        [last || shelf, `${shelf}%`],
      );
      for (const { version } of rows) yield version;
      if (rows.length < 1000) return;
      last = rows.at(-1)!.version;
    }
  }

  async #compareUnfinished(): Promise<void> {
    const { db, store } = this.#house;
    for await (const { name } of store.list('unfinished')) {
      if (!isVersion(name)) continue;
      const { rows } = await db.query('select from storage.unfinished_uploads where token = $1', [name]);
      if (!rows.length) await store.remove(`unfinished/${name}`);
    }
  }
}

/** Orphaned bytes uploaded within the last day, in all and per owner, for limits. */
export class OrphanedBytes {
  readonly #house: Pick<StorageContext, 'db'>;
  constructor(house: Pick<StorageContext, 'db'>) {
    this.#house = house;
  }

  async now(owner: string): Promise<{ all: number; own: number }> {
    if (!(await knowsOrphans(this.#house))) return { all: 0, own: 0 };
    const { rows } = await this.#house.db.query<{ all: number; own: number }>(
      `select coalesce(sum(size), 0)::int8 as all, coalesce(sum(size) filter (where owner = $1), 0)::int8 as own
       from (
         select sent.owner, (objects.metadata ->> 'size')::int8 as size
         from storage.sent_objects sent join storage.objects using (version)
           join private.orphaned_objects('0') orphan using (bucket_id, name)
       ) unused`,
      [owner],
    );
    return rows[0]!;
  }

  /** To be called before the object is recorded, so that a crash loses no count. */
  async add(owner: string | null, version: string): Promise<void> {
    await this.#house.db.query('insert into storage.sent_objects (version, owner) values ($1, $2)', [version, owner]);
  }
}

/** The product defines orphans in a function of its own; a project without it has none. */
async function knowsOrphans({ db }: Pick<StorageContext, 'db'>): Promise<boolean> {
  const { rows } = await db.query<{ here: boolean }>(
    `select to_regprocedure('private.orphaned_objects(interval)') is not null as here`,
  );
  return rows[0]!.here;
}
