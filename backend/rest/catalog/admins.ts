import type { Database } from '../../database/database.ts';
import { type CallerRequest, queryAsCaller } from '../../database/run-as-caller.ts';
import type { Caller } from '../../http/caller.ts';
import type { Catalog } from './catalog.ts';

const KNOWN_MS = 60_000;
const MOST_KNOWN = 1_000;

/** Cached per user from the project's `is_admin()`: decides how long statements may take, not permissions. */
export class Admins {
  readonly #known = new Map<string, { isAdmin: boolean; until: number }>();

  /** @throws DatabaseError PT401 when the session has ended */
  async has(db: Database, caller: Caller, request: CallerRequest, catalog: Catalog): Promise<boolean> {
    if (caller.role !== 'authenticated' || caller.userId === null) return false;
    const routines = catalog.schemas.get('public')?.routines.get('is_admin') ?? [];
    if (!routines.some(({ parameters, roles }) => parameters.length === 0 && roles.has('authenticated'))) return false;
    const known = this.#known.get(caller.userId);
    if (known && known.until > performance.now()) return known.isAdmin;
    const statement = { text: 'select public.is_admin() as "isAdmin"' };
    const { rows } = await queryAsCaller<{ isAdmin: boolean }>(db, caller, request, statement, { unlimited: true });
    const isAdmin = rows[0]?.isAdmin === true;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(caller.userId, { isAdmin, until: performance.now() + KNOWN_MS });
    return isAdmin;
  }
}
