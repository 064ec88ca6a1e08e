import { createHash } from 'node:crypto';
import { limits, type UploadSettings } from '../config/config.ts';
import type { Connection } from '../database/database.ts';
import { type Caller, isUuid } from '../http/caller.ts';
import { networkList } from '../http/network.ts';
import { errors } from './errors.ts';

export type AllowanceCharge = { owner: string; bytes: number; endsAt: string };

export type RemainingAllowance = Awaited<ReturnType<UploadAllowances['remaining']>>;

// Uses the database clock, which all processes share. A row is a window: an upload after its end starts a new one.
const CHARGE = `insert into internal.upload_allowances as used (owner, files, bytes, refused, ends_at)
  values ($1, 1, $2, 0, now() + make_interval(secs => $3))
  on conflict (owner) do update set
    files = case when used.ends_at <= now() then 1 else used.files + 1 end,
    bytes = case when used.ends_at <= now() then 0 else used.bytes end + excluded.bytes,
    refused = case when used.ends_at <= now() then 0 else used.refused end,
    ends_at = case when used.ends_at <= now() then excluded.ends_at else used.ends_at end
  where used.ends_at <= now()
    or (used.files < $4 and used.refused < $4 and used.bytes + excluded.bytes <= $5)
  returning ends_at::text as "endsAt"`;
const ADJUST = `update internal.upload_allowances set bytes = bytes + $3 where owner = $1 and ends_at = $2::timestamptz`;
const REFUND = `update internal.upload_allowances set files = files - 1, bytes = bytes - $3, refused = refused + $4
  where owner = $1 and ends_at = $2::timestamptz`;
const READ_USAGE = `select files, bytes, refused, ceil(extract(epoch from ends_at - now()))::int as seconds
  from internal.upload_allowances where owner = $1 and ends_at > now()`;
export const PURGE_ALLOWANCES = 'delete from internal.upload_allowances where ends_at < now()';

/** The user's id; the address of guests and of anonymous users, because anyone can create many. Null: no limit. */
export function allowanceOwner({ role, userId, claims }: Caller, address: string): string | null {
  if (role === 'service_role') return null;
  return userId === null || claims['is_anonymous'] === true ? address : userId;
}

/** Counted in the database for all processes. Rejected uploads are refunded, but their number is limited. */
export class UploadAllowances {
  readonly #db: Connection;
  readonly #settings: UploadSettings;
  readonly #isOfficeAddress: (address: string) => boolean;

  constructor(db: Connection, settings: UploadSettings) {
    this.#db = db;
    this.#settings = settings;
    this.#isOfficeAddress = networkList(settings.officeNetworks);
  }

  allowanceMultiplier = (owner: string) => (this.#isOfficeAddress(owner) ? limits.officeUploads.value : 1);

  #allowanceOf(owner: string) {
    const files =
      this.#settings.files * (isUuid(owner) ? limits.accountUploads.value : this.allowanceMultiplier(owner));
    return { files, bytes: files * limits.fileBytes.value };
  }

  /** @throws SlowDown (429) when not enough is left */
  async charge(owner: string | null, bytes: number): Promise<AllowanceCharge | null> {
    if (owner === null) return null;
    const allowance = this.#allowanceOf(owner);
    const key = hashOwner(owner);
    const values = [key, bytes, this.#settings.seconds, allowance.files, allowance.bytes];
    const { rows } = await this.#db.query<{ endsAt: string }>(CHARGE, values);
    if (rows[0]) return { owner: key, bytes, endsAt: rows[0].endsAt };
    throw errors.allowanceExceeded(await this.remaining(owner));
  }

  async adjust(charge: AllowanceCharge | null, bytes: number): Promise<AllowanceCharge | null> {
    if (!charge || charge.bytes === bytes) return charge;
    await this.#db.query(ADJUST, [charge.owner, charge.endsAt, bytes - charge.bytes]);
    return { ...charge, bytes };
  }

  /** A failure is ignored: the window ends anyway. @param wasReceived the bytes were received and not stored */
  async refund(charge: AllowanceCharge | null | undefined, wasReceived: boolean): Promise<void> {
    if (!charge) return;
    await this.#db.query(REFUND, [charge.owner, charge.endsAt, charge.bytes, wasReceived ? 1 : 0]).catch(() => {});
  }

  async remaining(owner: string) {
    const allowance = this.#allowanceOf(owner);
    const unused = { files: 0, bytes: 0, refused: 0, seconds: 0 };
    const { rows } = await this.#db.query<typeof unused>(READ_USAGE, [hashOwner(owner)]);
    const { files, bytes, refused, seconds } = rows[0] ?? unused;
    const isBlocked = refused >= allowance.files;
    const remaining = (limit: number, used: number) => ({ limit, left: isBlocked ? 0 : Math.max(0, limit - used) });
    return { files: remaining(allowance.files, files), bytes: remaining(allowance.bytes, bytes), seconds };
  }
}

/** Hashed, so that the table does not reveal who uploads. */
const hashOwner = (owner: string) => createHash('sha256').update(owner).digest('base64url');
