import { createHash } from 'node:crypto';
import { limits, type UploadSettings } from '../../config.ts';
import type { Connection } from '../database/database.ts';
import type { Caller } from '../http/caller.ts';
import { networkList } from '../http/network.ts';
import { errors } from './errors.ts';

interface Allowance {
  files: number;
  bytes: number;
}

export interface Taken {
  owner: string;
  bytes: number;
  endsAt: string;
}

export interface Left {
  files: { limit: number; left: number };
  bytes: { limit: number; left: number };
  seconds: number;
}

// Uses the database clock, which all processes share. A row is a window: an upload after its end starts a new one.
const TAKE = `insert into internal.upload_allowances as used (owner, files, bytes, refused, ends_at)
  values ($1, 1, $2, 0, now() + make_interval(secs => $3))
  on conflict (owner) do update set
    files = case when used.ends_at <= now() then 1 else used.files + 1 end,
    bytes = case when used.ends_at <= now() then 0 else used.bytes end + excluded.bytes,
    refused = case when used.ends_at <= now() then 0 else used.refused end,
    ends_at = case when used.ends_at <= now() then excluded.ends_at else used.ends_at end
  where used.ends_at <= now()
    or (used.files < $4 and used.refused < $4 and used.bytes + excluded.bytes <= $5)
  returning ends_at::text as "endsAt"`;
const CORRECT = `update internal.upload_allowances set bytes = bytes + $3 where owner = $1 and ends_at = $2::timestamptz`;
const RETURN = `update internal.upload_allowances set files = files - 1, bytes = bytes - $3, refused = refused + $4
  where owner = $1 and ends_at = $2::timestamptz`;
const LOOK = `select files, bytes, refused, ceil(extract(epoch from ends_at - now()))::int as seconds
  from internal.upload_allowances where owner = $1 and ends_at > now()`;
export const FORGET_ALLOWANCES = 'delete from internal.upload_allowances where ends_at < now()';

const ACCOUNT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A user id, or the address for guests and anonymous users, since anyone can create many. Null: no limit. */
export function ownerOf({ role, userId, claims }: Caller, address: string): string | null {
  if (role === 'service_role') return null;
  return userId === null || claims['is_anonymous'] === true ? address : userId;
}

/** Counted in the database for all processes. Rejected uploads return their allowance, but their number is limited. */
export class UploadAllowances {
  readonly #db: Connection;
  readonly #settings: UploadSettings;
  readonly #isOffice: (address: string) => boolean;

  constructor(db: Connection, settings: UploadSettings) {
    this.#db = db;
    this.#settings = settings;
    this.#isOffice = networkList(settings.officeNetworks);
  }

  guestsBehind(owner: string): number {
    return this.#isOffice(owner) ? limits.officeUploads.value : 1;
  }

  #allowanceOf(owner: string): Allowance {
    const files = this.#settings.files * (ACCOUNT.test(owner) ? limits.accountUploads.value : this.guestsBehind(owner));
    return { files, bytes: files * limits.fileBytes.value };
  }

  /** @throws SlowDown (429) when not enough is left */
  async take(owner: string | null, bytes: number): Promise<Taken | null> {
    if (owner === null) return null;
    const allowance = this.#allowanceOf(owner);
    const key = keyOf(owner);
    const { rows } = await this.#db.query<{ endsAt: string }>(TAKE, [
      key,
      bytes,
      this.#settings.seconds,
      allowance.files,
      allowance.bytes,
    ]);
    if (rows[0]) return { owner: key, bytes, endsAt: rows[0].endsAt };
    throw errors.allowanceUsedUp(await this.left(owner));
  }

  async correct(taken: Taken | null, bytes: number): Promise<Taken | null> {
    if (!taken || taken.bytes === bytes) return taken;
    await this.#db.query(CORRECT, [taken.owner, taken.endsAt, bytes - taken.bytes]);
    return { ...taken, bytes };
  }

  /**
   * Returns the allowance of an upload. A failure is ignored: the window ends anyway.
   * @param arrived bytes were received for nothing
   */
  async giveBack(taken: Taken | null | undefined, arrived: boolean): Promise<void> {
    if (!taken) return;
    await this.#db.query(RETURN, [taken.owner, taken.endsAt, taken.bytes, arrived ? 1 : 0]).catch(() => {});
  }

  async left(owner: string): Promise<Left> {
    const allowance = this.#allowanceOf(owner);
    const { rows } = await this.#db.query<Allowance & { refused: number; seconds: number }>(LOOK, [keyOf(owner)]);
    const { files, bytes, refused, seconds } = rows[0] ?? { files: 0, bytes: 0, refused: 0, seconds: 0 };
    const isClosed = refused >= allowance.files;
    const left = (limit: number, used: number) => ({ limit, left: isClosed ? 0 : Math.max(0, limit - used) });
    return { files: left(allowance.files, files), bytes: left(allowance.bytes, bytes), seconds };
  }
}

/** Hashed, so that the table does not reveal who uploads. */
const keyOf = (owner: string) => createHash('sha256').update(owner).digest('base64url');
