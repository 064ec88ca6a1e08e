import { randomUUID } from 'node:crypto';
import type { Connection } from '../../database/database.ts';

export const LOST = { status_code: 423, body: 'The upload is being written to by another request\n' };

/** How long a crashed process blocks an upload. */
const LEASE = '15 seconds';
const RENEWED_EVERY_MS = 2_000;

interface Held {
  id: string;
  timer: NodeJS.Timeout;
  kept: boolean;
}

/** Which process may write to a pending upload: a lease in its row, renewed while held. */
export class UploadLeases {
  readonly #db: Connection;
  readonly #held = new Map<string, Held>();
  constructor(db: Connection) {
    this.#db = db;
  }

  /** @returns false while another process holds the lease; its `askBack` is then called */
  async take(token: string, askBack: () => unknown): Promise<boolean> {
    const id = randomUUID();
    const { rows } = await this.#db.query<{ taken: boolean }>(
      `update storage.unfinished_uploads set asked_back = not free,
         lease = case when free then $2 else lease end,
         leased_until = case when free then now() + $3::interval else leased_until end
       from (select token, coalesce(leased_until < now(), true) as free from storage.unfinished_uploads
             where token = $1 for update) as found
       where unfinished_uploads.token = found.token returning free as taken`,
      [token, id, LEASE],
    );
    if (!rows[0]) return true;
    if (!rows[0].taken) return false;
    const timer = setInterval(() => void this.#renew(token, id, askBack), RENEWED_EVERY_MS).unref();
    this.#held.set(token, { id, timer, kept: false });
    return true;
  }

  of(token: string): string | null {
    return this.#held.get(token)?.id ?? null;
  }

  /** `release` keeps the lease from now on, and requests for it are ignored: the upload is being validated. */
  keep(token: string): void {
    const held = this.#held.get(token);
    if (held) held.kept = true;
  }

  isKept(token: string): boolean {
    return this.#held.get(token)?.kept === true;
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

  async #renew(token: string, id: string, askBack: () => unknown): Promise<void> {
    const renewed = await this.#db
      .query<{ asked: boolean }>(
        `update storage.unfinished_uploads set leased_until = now() + $3::interval
         where token = $1 and lease = $2 returning asked_back as asked`,
        [token, id, LEASE],
      )
      .catch(() => null);
    // While the database is unreachable, no other process can acquire it either.
    const lost = renewed?.rows.length === 0;
    if ((lost || renewed?.rows[0]?.asked) && !this.isKept(token)) await askBack();
  }
}
