import { randomUUID } from 'node:crypto';
import type { Connection } from '../../database/database.ts';

export const LEASE_LOST = { status_code: 423, body: 'The upload is being written to by another request\n' };

/** How long a crashed process blocks an upload. */
const LEASE_DURATION = '15 seconds';
const RENEWAL_INTERVAL_MS = 2_000;

interface HeldLease {
  id: string;
  timer: NodeJS.Timeout;
  isPinned: boolean;
}

/** Which process may write to a pending upload: a lease in its row, renewed while held. */
export class UploadLeases {
  readonly #db: Connection;
  readonly #held = new Map<string, HeldLease>();
  constructor(db: Connection) {
    this.#db = db;
  }

  /** @returns false while another process holds the lease; its `requestRelease` is then called */
  async acquire(token: string, requestRelease: () => unknown): Promise<boolean> {
    const id = randomUUID();
    const { rows } = await this.#db.query<{ acquired: boolean }>(
      `update storage.unfinished_uploads set asked_back = not free,
         lease = case when free then $2 else lease end,
         leased_until = case when free then now() + $3::interval else leased_until end
       from (select token, coalesce(leased_until < now(), true) as free from storage.unfinished_uploads
             where token = $1 for update) as found
       where unfinished_uploads.token = found.token returning free as acquired`,
      [token, id, LEASE_DURATION],
    );
    if (!rows[0]) return true;
    if (!rows[0].acquired) return false;
    const timer = setInterval(() => void this.#renew(token, id, requestRelease), RENEWAL_INTERVAL_MS).unref();
    this.#held.set(token, { id, timer, isPinned: false });
    return true;
  }

  idOf(token: string): string | null {
    return this.#held.get(token)?.id ?? null;
  }

  /** Ignores requests to release the lease, because the upload is being validated. */
  pin(token: string): void {
    const held = this.#held.get(token);
    if (held) held.isPinned = true;
  }

  isPinned(token: string): boolean {
    return this.#held.get(token)?.isPinned === true;
  }

  async release(token: string): Promise<void> {
    const held = this.#held.get(token);
    if (!held) return;
    clearInterval(held.timer);
    this.#held.delete(token);
    await this.#db.query(
      `update storage.unfinished_uploads set lease = null, leased_until = null, asked_back = false
       where token = $1 and lease = $2`,
      [token, held.id],
    );
  }

  async #renew(token: string, id: string, requestRelease: () => unknown): Promise<void> {
    const renewed = await this.#db
      .query<{ requested: boolean }>(
        `update storage.unfinished_uploads set leased_until = now() + $3::interval
         where token = $1 and lease = $2 returning asked_back as requested`,
        [token, id, LEASE_DURATION],
      )
      .catch(() => null);
    // While the database is unreachable, no other process can acquire it either.
    const isLost = renewed?.rows.length === 0;
    if ((isLost || renewed?.rows[0]?.requested) && !this.isPinned(token)) await requestRelease();
  }
}
