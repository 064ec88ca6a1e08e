import type { StorageContext } from './context.ts';
import { isVersion } from './store.ts';

/** What is attached to nothing goes after this long. */
const AFTER = '24 hours';
/** Bytes of what nothing ever used need not be kept for a backup: nothing in it would ask for them. */
const NEVER_USED = '2 days';
const AT_ONCE = 200;
/** Every text of the house is read. */
const MENDING_MS = 10 * 60_000;

export interface Swept {
  /** Objects that no record of the product uses. */
  orphans: number;
  /** References to objects that had not been written down, or should not have been, found by comparing. */
  mended: number;
  /** Versions without a row, found by comparing; their bytes go with the removed ones. */
  leftovers: number;
  /** Objects without bytes, found by comparing. */
  missing: number;
  /** Uploads that were never finished. */
  expired: number;
  /** Versions whose bytes were removed. */
  removed: number;
}

/**
 * Removes what nobody will ever ask for: unused objects, uploads that were given up, and bytes whose row has been gone
 * for as long as they are kept. Deletions are rows (`storage.removed_bytes`); the store itself is only looked through to
 * compare it with the rows, a shelf at a time and each once a week.
 */
export class Sweep {
  readonly #house: StorageContext;
  readonly #keptFor: string;
  readonly #makesRoom: boolean;
  #holders = 0;

  /**
   * @param keepDays how long bytes outlive their row
   * @param makesRoom the bytes lie on our own disk: when that is full they go earlier
   */
  constructor(house: StorageContext, { keepDays, makesRoom }: { keepDays: number; makesRoom: boolean }) {
    this.#house = house;
    this.#keptFor = `${keepDays} days`;
    this.#makesRoom = makesRoom;
  }

  async run(): Promise<Swept> {
    await this.#house.scratch.removeLeft();
    const expired = await this.#house.resumable.expire();
    // First: an object whose reference was forgotten is used.
    const mended = await this.#mendReferences();
    const orphans = await this.#orphans();
    const compared = await this.#compare();
    const swept = { expired, mended, orphans, ...compared, removed: await this.#removeBytes(this.#keptFor) };
    await this.makeRoom();
    if (Object.values(swept).some((count) => count > 0)) this.#house.log.info(swept, 'swept');
    return swept;
  }

  /** Until what it returns was called no bytes are removed: for whoever reads many objects that belong together. */
  holdRemovals(): () => void {
    this.#holders++;
    let held = true;
    return () => {
      if (held) this.#holders--;
      held = false;
    };
  }

  /** On a disk that gets full, deleting is how room is made: then bytes go with their row. */
  async makeRoom(): Promise<void> {
    if (this.#makesRoom && !(await this.#house.disk.has('files'))) await this.#removeBytes('0');
  }

  /** What the product has written down of which record uses which object is compared with all that the records say. */
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
    // A day is left to whoever is copying everything just now.
    const unused = rows.filter(({ young }) => young).map(({ version }) => version);
    if (unused.length)
      await db.query(
        `update storage.removed_bytes set removed_at = now() - $2::interval + interval '1 day' where version = any($1)`,
        [unused, this.#keptFor],
      );
    return rows.length;
  }

  /** Removes bytes whose row has been gone for so long, the oldest first. */
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
        // A row that came back needs its bytes.
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

  /** Compares the shelves whose week is over. Several processes share them. */
  async #compare(): Promise<{ leftovers: number; missing: number }> {
    const { db, log } = this.#house;
    const found = { leftovers: 0, missing: 0 };
    // A database without any object beside a store full of them is more likely the wrong database.
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
      // Stored after the list was made, or not at all.
      const opened = await store.open(version, 'original');
      await opened?.close();
      return opened !== null;
    };
    for await (const { name } of store.list(shelf)) {
      for (; !row.done && row.value < name; row = await rows.next()) if (!(await isThere(row.value))) found.missing++;
      if (!row.done && row.value === name) row = await rows.next();
      else if (isVersion(name)) {
        // A day is left to an upload whose row is only being written.
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

  /** Versions that rows have, of one shelf and in order. */
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

  /** Pieces of uploads that nobody knows any more. */
  async #compareUnfinished(): Promise<void> {
    const { db, store } = this.#house;
    for await (const { name } of store.list('unfinished')) {
      if (!isVersion(name)) continue;
      const { rows } = await db.query('select from storage.unfinished_uploads where token = $1', [name]);
      if (!rows.length) await store.remove(`unfinished/${name}`);
    }
  }
}

/** How much of what was sent within the last day lies about unused, in all and of one owner, so that it can be limited. */
export class OrphanedBytes {
  readonly #house: Pick<StorageContext, 'db'>;
  constructor(house: Pick<StorageContext, 'db'>) {
    this.#house = house;
  }

  /** Bytes, the same in every process. */
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

  /** To be told before the object is recorded, so that nothing is left out when this process ends. */
  async add(owner: string | null, version: string): Promise<void> {
    await this.#house.db.query('insert into storage.sent_objects (version, owner) values ($1, $2)', [version, owner]);
  }
}

/** The product says what an orphan is, in a function of its own; a project without one has none. */
async function knowsOrphans({ db }: Pick<StorageContext, 'db'>): Promise<boolean> {
  const { rows } = await db.query<{ here: boolean }>(
    `select to_regprocedure('private.orphaned_objects(interval)') is not null as here`,
  );
  return rows[0]!.here;
}
