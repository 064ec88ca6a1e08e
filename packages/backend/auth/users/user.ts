import { type Connection, findRow } from '../../database/database.ts';

export interface IdentityRow {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Record<string, unknown>;
  provider: string;
  email: string | null;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A row of `auth.users` with its identities. Never send it to a client: use `showUser`. */
export interface UserRow {
  id: string;
  email: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  phone: string | null;
  phone_confirmed_at: Date | null;
  /** Unconfirmed new address, or an empty string. */
  email_change: string | null;
  email_change_sent_at: Date | null;
  /** 1: the current mailbox confirmed or need not; 2: the new one confirmed. */
  email_change_confirm_status: number;
  phone_change: string | null;
  phone_change_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  is_sso_user: boolean;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Record<string, unknown> | null;
  raw_user_meta_data: Record<string, unknown> | null;
  is_anonymous: boolean;
  /** PostgreSQL's `infinity` is read as a string. */
  banned_until: Date | string | null;
  is_banned: boolean;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
  identities: IdentityRow[];
  factors: FactorRow[];
}

export interface FactorRow {
  id: string;
  friendly_name: string | null;
  factor_type: 'totp' | 'phone' | 'webauthn';
  status: 'verified' | 'unverified';
  phone: string | null;
  created_at: string;
  updated_at: string;
  last_challenged_at: string | null;
}

export const IS_BANNED = 'coalesce(u.banned_until > now(), false)';

export const USER_COLUMNS = `u.id, u.email, u.encrypted_password, u.email_confirmed_at, u.invited_at,
  u.confirmation_sent_at, u.recovery_sent_at, u.phone, u.phone_confirmed_at, u.email_change, u.email_change_sent_at,
  u.email_change_confirm_status, u.phone_change, u.phone_change_sent_at, u.reauthentication_sent_at, u.is_sso_user,
  u.last_sign_in_at, u.raw_app_meta_data, u.raw_user_meta_data, u.is_anonymous, u.banned_until,
  ${IS_BANNED} as is_banned, u.deleted_at, u.created_at, u.updated_at, coalesce((
    select json_agg(i order by i.created_at) from (
      select id, provider_id, user_id, identity_data, provider, email, last_sign_in_at, created_at, updated_at
      from auth.identities where user_id = u.id) i
  ), '[]'::json) as identities, coalesce((
    select json_agg(f order by f.created_at) from (
      select id, friendly_name, factor_type, status, phone, created_at, updated_at, last_challenged_at
      from auth.mfa_factors where user_id = u.id) f
  ), '[]'::json) as factors`;

export const findUser = (db: Connection, id: string) =>
  findRow<UserRow>(db, `select ${USER_COLUMNS} from auth.users u where u.id = $1`, [id]);

/** Locks the user until the end of the transaction, and with it what changes under this lock: factors and identities. */
export async function lockUser(tx: Connection, id: string): Promise<UserRow | null> {
  await tx.query('select from auth.users where id = $1 for no key update', [id]);
  return findUser(tx, id);
}

/** @param email trimmed and lower case. Excludes SSO and deleted users. */
export function findUserByEmail(db: Connection, email: string) {
  const text = `select ${USER_COLUMNS} from auth.users u where u.email = $1 and not u.is_sso_user and u.deleted_at is null`;
  return findRow<UserRow>(db, text, [email]);
}

/** @param phone digits only. Excludes deleted users. */
export const findUserByPhone = (db: Connection, phone: string) =>
  findRow<UserRow>(db, `select ${USER_COLUMNS} from auth.users u where u.phone = $1 and u.deleted_at is null`, [phone]);

/** An e-mail address, or the digits of a number. */
export type Recipient = { email: string; phone: null } | { email: null; phone: string };

export const findUserOf = (db: Connection, { email, phone }: Recipient) =>
  email === null ? findUserByPhone(db, phone) : findUserByEmail(db, email);

export async function listUsers(db: Connection, page: { perPage: number; offset: number; filter: string }) {
  const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const digits = /^\+?\d[\d\s().-]+$/.test(page.filter) ? page.filter.replace(/\D/g, '') : page.filter;
  const values = [like(page.filter), like(digits), page.filter.toLowerCase()];
  const matching = `from auth.users u where u.deleted_at is null
    and u.raw_app_meta_data->>'provider' is distinct from 'none'
    and ($1 = '%%' or u.email ilike $1 or u.phone like $2 or u.id::text = $3
      or u.raw_user_meta_data->>'name' ilike $1 or u.raw_user_meta_data->>'full_name' ilike $1)`;
  const text = `select ${USER_COLUMNS} ${matching} order by u.created_at desc, u.id limit $4::int offset $5::int`;
  const { rows } = await db.query<UserRow>(text, [...values, page.perPage, page.offset]);
  const count = await db.query<{ total: number }>(`select count(*)::int as total ${matching}`, values);
  return { users: rows, total: count.rows[0]!.total };
}

export function showUser(user: UserRow) {
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email ?? '',
    phone: user.phone ?? '',
    ...present({
      email_confirmed_at: user.email_confirmed_at,
      invited_at: user.invited_at,
      phone_confirmed_at: user.phone_confirmed_at,
      confirmation_sent_at: user.confirmation_sent_at,
      confirmed_at: earliest(user.email_confirmed_at, user.phone_confirmed_at),
      recovery_sent_at: user.recovery_sent_at,
      reauthentication_sent_at: user.reauthentication_sent_at,
      new_email: user.email_change || null,
      email_change_sent_at: user.email_change ? user.email_change_sent_at : null,
      new_phone: user.phone_change || null,
      phone_change_sent_at: user.phone_change ? user.phone_change_sent_at : null,
      last_sign_in_at: user.last_sign_in_at,
      factors: user.factors.length ? user.factors.map(showFactor) : null,
      banned_until: user.banned_until,
      deleted_at: user.deleted_at,
    }),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    identities: user.identities.map(showIdentity),
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: user.is_anonymous,
  };
}

export function showIdentity(identity: IdentityRow) {
  const { id: identity_id, provider_id: id, user_id, identity_data, provider, email } = identity;
  const known = present({ email, last_sign_in_at: utc(identity.last_sign_in_at) });
  return { identity_id, id, user_id, identity_data, provider, ...times(identity), ...known };
}

export function showFactor(factor: FactorRow) {
  const { id, factor_type, status, phone, friendly_name } = factor;
  const known = present({ friendly_name, last_challenged_at: utc(factor.last_challenged_at) });
  return { id, factor_type, status, phone, ...times(factor), ...known };
}

const times = (row: IdentityRow | FactorRow) => ({ created_at: utc(row.created_at), updated_at: utc(row.updated_at) });

// Values from a JSON aggregate use PostgreSQL's own offset format.
const utc = (text: string | null) => text && new Date(text);

const present = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const earliest = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b));
