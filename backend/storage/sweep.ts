import type { StorageContext } from './context.ts';
import { forget } from './objects/upload.ts';

/** What is attached to nothing goes after this long. */
const AFTER = '24 hours';
const AFTER_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 200;
const ASKED_AGAIN_MS = 60_000;

export interface Swept {
  /** Objects that no record of the product uses. */
  orphans: number;
  /** Bytes without a row. */
  leftovers: number;
  /** Uploads that were never finished. */
  expired: number;
}

/** Removes what nobody will ever ask for: unused objects, bytes whose row is gone, uploads that were given up. */
export class Sweep {
  readonly #house: StorageContext;
  readonly #expire: () => Promise<number>;

  constructor(house: StorageContext, expire: () => Promise<number>) {
    this.#house = house;
    this.#expire = expire;
  }

  async run(): Promise<Swept> {
    const swept = { expired: await this.#expire(), orphans: await this.#orphans(), leftovers: await this.#leftovers() };
    if (swept.orphans + swept.leftovers + swept.expired) this.#house.log.info(swept, 'swept');
    return swept;
  }

  async #orphans(): Promise<number> {
    if (!(await knowsOrphans(this.#house))) return 0;
    const { rows } = await this.#house.db.query<{ version: string }>(
      `delete from storage.objects using private.orphaned_objects($1::interval) orphan
       where objects.bucket_id = orphan.bucket_id and objects.name = orphan.name returning objects.version`,
      [AFTER],
    );
    for (const { version } of rows) await forget(this.#house, version);
    return rows.length;
  }

  async #leftovers(): Promise<number> {
    const { db, store, log } = this.#house;
    const { rows } = await db.query('select from storage.objects limit 1');
    let [removed, batch] = [0, [] as string[]];
    const removeUnknown = async () => {
      const known = await db.query<{ version: string }>('select version from storage.objects where version = any($1)', [
        batch,
      ]);
      const versions = new Set(known.rows.map(({ version }) => version));
      for (const version of batch.filter((one) => !versions.has(one))) {
        await forget(this.#house, version);
        removed++;
      }
      batch = [];
    };
    for await (const { version, changed } of store.versions()) {
      if (Date.now() - changed.getTime() < AFTER_MS) continue;
      if (!rows.length) {
        // A database without any object beside a folder full of them is more likely the wrong database.
        log.warn('files without rows are kept while the database knows no object at all');
        return 0;
      }
      if (batch.push(version) >= AT_ONCE) await removeUnknown();
    }
    if (batch.length) await removeUnknown();
    return removed;
  }
}

/** How much lies about unused, in all and of one owner, so that it can be limited. Asked of the database at most once a minute. */
export class OrphanedBytes {
  readonly #house: Pick<StorageContext, 'db'>;
  /** Versions that came since the start and may still be unused: the database does not know who sent them. */
  #sent = new Map<string, { owner: string; bytes: number }>();
  #known = 0;
  #asked = 0;
  constructor(house: Pick<StorageContext, 'db'>) {
    this.#house = house;
  }

  async now(owner: string): Promise<{ all: number; own: number }> {
    if (Date.now() - this.#asked >= ASKED_AGAIN_MS) await this.#ask();
    let own = 0;
    for (const sent of this.#sent.values()) if (sent.owner === owner) own += sent.bytes;
    return { all: this.#known, own };
  }

  /** Counts an upload that was just stored and is attached to nothing yet. */
  add(owner: string | null, version: string, bytes: number): void {
    this.#known += bytes;
    if (owner !== null) this.#sent.set(version, { owner, bytes });
  }

  async #ask(): Promise<void> {
    this.#asked = Date.now();
    if (!(await knowsOrphans(this.#house))) {
      this.#known = 0;
      this.#sent.clear();
      return;
    }
    const asked = [...this.#sent.keys()];
    const { rows } = await this.#house.db.query<{ bytes: number; unused: Record<string, number> }>(
      `select coalesce(sum((objects.metadata ->> 'size')::bigint), 0)::bigint as bytes,
         coalesce(jsonb_object_agg(objects.version, (objects.metadata ->> 'size')::bigint)
           filter (where objects.version = any($1)), '{}') as unused
       from storage.objects join private.orphaned_objects('0') orphan using (bucket_id, name)`,
      [asked],
    );
    this.#known = rows[0]!.bytes;
    for (const version of asked) {
      const bytes = rows[0]!.unused[version];
      if (bytes === undefined) this.#sent.delete(version);
      else this.#sent.get(version)!.bytes = bytes;
    }
  }
}

/** The product says what an orphan is, in a function of its own; a project without one has none. */
async function knowsOrphans({ db }: Pick<StorageContext, 'db'>): Promise<boolean> {
  const { rows } = await db.query<{ here: boolean }>(
    `select to_regprocedure('private.orphaned_objects(interval)') is not null as here`,
  );
  return rows[0]!.here;
}
