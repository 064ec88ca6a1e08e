import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import { type Connection, findRow } from '../../database/database.ts';
import type { Role } from '../../http/caller.ts';
import type { WriteMode } from '../objects/rows.ts';
import type { AllowanceCharge } from '../upload-allowances.ts';

export const LEASE_LOST = { status_code: 423, body: 'The upload is being written to by another request\n' };

/** How long a crashed process blocks an upload. */
const LEASE_DURATION = '15 seconds';
const RENEWAL_INTERVAL_MS = 2_000;

/** Which process may write to a pending upload: a lease in its row, renewed while held. */
export class UploadLeases {
  readonly #db: Connection;
  readonly #held = new Map<string, { id: string; timer: NodeJS.Timeout; isPinned: boolean }>();
  constructor(db: Connection) {
    this.#db = db;
  }

  /** @returns false while another process holds the lease; its `requestRelease` is then called */
  async acquire(token: string, requestRelease: () => unknown): Promise<boolean> {
    const id = randomUUID();
    const text = `update storage.unfinished_uploads set asked_back = not free,
         lease = case when free then $2 else lease end,
         leased_until = case when free then now() + $3::interval else leased_until end
       from (select token, coalesce(leased_until < now(), true) as free from storage.unfinished_uploads
             where token = $1 for update) as found
       where unfinished_uploads.token = found.token returning free as acquired`;
    const upload = await findRow<{ acquired: boolean }>(this.#db, text, [token, id, LEASE_DURATION]);
    if (!upload) return true;
    if (!upload.acquired) return false;
    const timer = setInterval(() => void this.#renew(token, id, requestRelease), RENEWAL_INTERVAL_MS).unref();
    this.#held.set(token, { id, timer, isPinned: false });
    return true;
  }

  idOf = (token: string) => this.#held.get(token)?.id ?? null;

  /** Ignores requests to release the lease, because the upload is being validated. */
  pin(token: string): void {
    const held = this.#held.get(token);
    if (held) held.isPinned = true;
  }

  isPinned = (token: string) => this.#held.get(token)?.isPinned === true;

  async release(token: string): Promise<void> {
    const held = this.#held.get(token);
    if (!held) return;
    clearInterval(held.timer);
    this.#held.delete(token);
    const released = this.#db.query(
      `update storage.unfinished_uploads set lease = null, leased_until = null, asked_back = false
       where token = $1 and lease = $2`,
      [token, held.id],
    );
    await released.catch(() => {}); // While the database is away, the lease expires by itself.
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

const LOCK_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 200;
const FINISH_GRACE_MS = 1_000;

/** One request at a time per upload, across processes. A new request signals the holder to finish and waits for it. */
export class UploadLocks implements Locker {
  readonly #leases: UploadLeases;
  readonly #held = new Map<string, { requestRelease: () => unknown; released: Promise<void>; release: () => void }>();
  readonly #finishing = new Set<string>();
  constructor(leases: UploadLeases) {
    this.#leases = leases;
  }

  newLock(id: string): Lock {
    const token = tokenInId(id);
    return {
      lock: async (signal, requestRelease) => {
        const deadline = Date.now() + LOCK_TIMEOUT_MS;
        for (let held = this.#held.get(token); held; held = this.#held.get(token)) {
          if (!this.#leases.isPinned(token)) await held.requestRelease();
          const timedOut = sleep(Math.max(0, deadline - Date.now()), true, { signal, ref: false }).catch(() => true);
          if (await Promise.race([held.released.then(() => false), timedOut])) throw LEASE_LOST;
        }
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        this.#held.set(token, { requestRelease, released, release });
        try {
          while (!(await this.#leases.acquire(token, requestRelease))) {
            if (signal.aborted || Date.now() > deadline) throw LEASE_LOST;
            await sleep(RETRY_INTERVAL_MS);
          }
        } catch (error) {
          await this.#release(token);
          throw error;
        }
      },
      unlock: async () => {
        if (!this.#leases.isPinned(token)) return this.#release(token);
        // The library calls the hook immediately, unless the request failed after its last byte.
        setTimeout(() => {
          if (!this.#finishing.has(token)) void this.#release(token).catch(() => {});
        }, FINISH_GRACE_MS).unref();
      },
    };
  }

  async whileFinishing(id: string, work: () => Promise<void>): Promise<void> {
    const token = tokenInId(id);
    this.#finishing.add(token);
    try {
      await work();
    } finally {
      this.#finishing.delete(token);
      await this.#release(token);
    }
  }

  async #release(token: string): Promise<void> {
    await this.#leases.release(token);
    const held = this.#held.get(token);
    this.#held.delete(token);
    held?.release();
  }
}

/** Decided when the upload is created. Stored as JSON, so the names of the fields are a format. */
export interface UploadTerms {
  /** Random; the secret part of the upload's URL. */
  token: string;
  bucket: string;
  key: string;
  role: Role;
  /** Null for guests: the upload's URL suffices to continue it. */
  userId: string | null;
  /** Owner of the allowance, see `allowanceOwner`; null for the service role. */
  owner: string | null;
  taken: AllowanceCharge | null;
  meeting: WriteMode;
  limit: number;
  size?: number;
  metadata: Record<string, string | null>;
  version?: string;
}

export type PendingUpload = UploadTerms & { receivedBytes: number; pieceCount: number; createdAt: Date; done: boolean };

/** The id in an upload's URL: base64url of `bucket/object/token`. */
export const uploadId = ({ bucket, key, token }: Pick<UploadTerms, 'bucket' | 'key' | 'token'>) =>
  Buffer.from(`${bucket}/${key}/${token}`).toString('base64url');

export function tokenInId(id: string): string {
  const text = Buffer.from(id, 'base64url').toString('utf8');
  return text.slice(text.lastIndexOf('/') + 1);
}
