import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import type { Catalog } from './catalog.ts';
import { loadCatalog } from './load-catalog.ts';

export class SchemaCache {
  readonly #db: Database;
  readonly #schemas: readonly string[];
  #current: Promise<Catalog> | null = null;

  private constructor(db: Database, schemas: readonly string[]) {
    this.#db = db;
    this.#schemas = schemas;
  }

  /** `notify pgrst` or `notify pgrst, 'reload schema'` invalidates the cache. */
  static async open(db: Database, schemas: readonly string[], log: Logger): Promise<SchemaCache> {
    const cache = new SchemaCache(db, schemas);
    await db.listen('pgrst', (payload) => {
      if (payload !== '' && payload !== 'reload schema') return;
      cache.#current = null;
      log.debug('schema changed: reloading the catalogue');
    });
    return cache;
  }

  get(): Promise<Catalog> {
    if (this.#current) return this.#current;
    const loading = loadCatalog(this.#db, this.#schemas);
    this.#current = loading;
    loading.catch(() => {
      if (this.#current === loading) this.#current = null;
    });
    return loading;
  }
}
