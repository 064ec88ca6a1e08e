import { randomUUID } from 'node:crypto';
import { databaseTime } from '../../database/clock.ts';
import { type Connection, findRow, hasRow } from '../../database/database.ts';
import { errors } from '../errors.ts';
import { deleteFlows } from '../providers/flow-state.ts';
import { insertUnlessTaken, NIL_UUID, setUserColumns } from '../rows.ts';
import { findUser, type UserRow } from './user.ts';

// Part of every access token, and request headers are limited to 16 KB.
const MAX_USER_METADATA = 10 * 1024;

export interface NewIdentity {
  /** `email`, `phone`, `google`, `github`, the name of a configured issuer, or `sso:<provider uuid>`. */
  provider: string;
  providerId: string;
  data: Record<string, unknown>;
}

export interface NewAccount {
  id?: string | undefined;
  email?: string | null;
  /** Digits without the leading `+`. */
  phone?: string | null;
  passwordHash?: string | null;
  /** Written by the user: never use it for authorization. */
  userMetadata: Record<string, unknown>;
  /** Created by an admin: `user_metadata` stays as given, and known data goes to the identities only. */
  byAdmin?: boolean;
  /** Security: only from callers with the service key. */
  appMetadata?: Record<string, unknown> | undefined;
  emailConfirmed?: boolean;
  phoneConfirmed?: boolean;
  bannedUntil?: Date | null | undefined;
  isAnonymous?: boolean;
  isSsoUser?: boolean;
  /** Default: one for the e-mail address and one for the number. */
  identities?: NewIdentity[];
}

export const identityData = (
  id: string,
  { email, phone }: { email: string | null; phone: string | null },
  data: Record<string, unknown>,
  verified = { email: false, phone: false },
) => ({
  ...data,
  sub: id,
  ...(email ? { email } : {}),
  ...(phone ? { phone } : {}),
  email_verified: verified.email,
  phone_verified: verified.phone,
});

/** Creates a user with identities. Null when address, number, id or identity is taken, also by a concurrent request. */
export async function createAccount(tx: Connection, account: NewAccount): Promise<UserRow | null> {
  const { id = randomUUID(), email = null, phone = null, emailConfirmed = false, phoneConfirmed = false } = account;
  const own = { email, phone };
  const verified = { email: emailConfirmed, phone: phoneConfirmed };
  const profile = identityData(id, own, account.byAdmin ? {} : account.userMetadata, verified);
  const providers = (['email', 'phone'] as const).filter((provider) => own[provider]);
  const identities = account.identities ?? providers.map((provider) => ({ provider, providerId: id, data: profile }));
  const [first] = identities;
  const now = new Date(databaseTime());
  const created = await insertUnlessTaken(tx, 'users', {
    instance_id: NIL_UUID,
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone,
    encrypted_password: account.passwordHash ?? null,
    email_confirmed_at: emailConfirmed ? now : null,
    phone_confirmed_at: phoneConfirmed ? now : null,
    raw_app_meta_data: {
      ...account.appMetadata,
      ...(first && { provider: first.provider, providers: identities.map(({ provider }) => provider) }),
    },
    raw_user_meta_data: userMetadataOf(account, identities, profile),
    banned_until: account.bannedUntil ?? null,
    is_anonymous: account.isAnonymous ?? false,
    is_sso_user: account.isSsoUser ?? false,
  });
  if (!created) return null;
  for (const identity of identities) {
    if (await insertIdentity(tx, id, identity)) continue;
    await tx.query('delete from auth.users where id = $1', [id]);
    return null;
  }
  return findUser(tx, id);
}

function userMetadataOf(account: NewAccount, identities: NewIdentity[], profile: Record<string, unknown>) {
  const { userMetadata, byAdmin, emailConfirmed, email, phone } = account;
  if (byAdmin) return emailConfirmed ? { ...userMetadata, email_verified: true } : userMetadata;
  return email || phone || identities.length ? profile : userMetadata;
}

function insertIdentity(tx: Connection, userId: string, { provider, providerId, data }: NewIdentity) {
  const text = `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at)
     values ($1, $2, $3::jsonb, $4, now()) on conflict do nothing returning id`;
  return hasRow(tx, text, [providerId, userId, data, provider]);
}

export async function findIdentityOwner(tx: Connection, { provider, providerId }: NewIdentity): Promise<string | null> {
  const text = 'select user_id from auth.identities where provider = $1 and provider_id = $2';
  return (await findRow<{ user_id: string }>(tx, text, [provider, providerId]))?.user_id ?? null;
}

export async function recordSignIn(tx: Connection, { provider, providerId, data }: NewIdentity): Promise<void> {
  const text = `update auth.identities set identity_data = $3::jsonb, last_sign_in_at = now(), updated_at = now()
     where provider = $1 and provider_id = $2`;
  await tx.query(text, [provider, providerId, data]);
}

/** @returns false when the identity belongs to another user */
export async function addIdentity(tx: Connection, userId: string, identity: NewIdentity): Promise<boolean> {
  if (!(await insertIdentity(tx, userId, identity))) return false;
  await refreshProviders(tx, userId);
  return true;
}

/** Updates `app_metadata.providers`; the primary `provider` stays first while its identity exists. Without any: email. */
export async function refreshProviders(tx: Connection, userId: string): Promise<void> {
  const text = `update auth.users u set updated_at = now(),
       raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || jsonb_build_object('providers', held.names, 'provider',
         case when held.names ? (u.raw_app_meta_data ->> 'provider') then u.raw_app_meta_data -> 'provider' else held.names -> 0 end)
     from (select coalesce(jsonb_agg(provider order by first), '["email"]') as names
       from (select provider, min(created_at) as first from auth.identities where user_id = $1 group by provider) i) held
     where u.id = $1`;
  await tx.query(text, [userId]);
}

/** True when a sign-up copied known data into `user_metadata`; only then is the copy updated. */
const HAS_PROFILE_COPY = "raw_user_meta_data ->> 'sub' = id::text";

export async function confirmIdentifier(tx: Connection, userId: string, column: 'email' | 'phone'): Promise<void> {
  const condition = column === 'email' ? 'true' : HAS_PROFILE_COPY;
  const verified = { [`${column}_verified`]: true };
  const userUpdate = `update auth.users set ${column}_confirmed_at = coalesce(${column}_confirmed_at, now()),
       updated_at = now(), is_anonymous = false,
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || case when ${condition} then $2::jsonb else '{}' end
     where id = $1`;
  await tx.query(userUpdate, [userId, verified]);
  const identityUpdate = `update auth.identities set identity_data = identity_data || $2::jsonb, updated_at = now()
     where user_id = $1 and provider = '${column}'`;
  await tx.query(identityUpdate, [userId, verified]);
}

/** Sets a password and invalidates pending changes, links, codes, flows and every session but `keep`. */
export async function setPassword(tx: Connection, userId: string, passwordHash: string, keep: string | null) {
  // Lock order: tokens and flows before the user, as when redeeming.
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId]);
  await deleteFlows(tx, userId);
  await setUserColumns(tx, userId, { encrypted_password: passwordHash, email_change: '', phone_change: '' });
  await tx.query('delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid', [userId, keep]);
}

type Metadata = Record<string, unknown>;
type MetadataColumn = 'raw_user_meta_data' | 'raw_app_meta_data';

/** Null deletes a key. @throws ApiError 400 when `user_metadata` becomes too large: the transaction must roll back */
export async function mergeMetadata(tx: Connection, userId: string, column: MetadataColumn, data: Metadata) {
  const merged = await merge(tx, userId, column, data);
  if (column === 'raw_user_meta_data' && Buffer.byteLength(JSON.stringify(merged)) > MAX_USER_METADATA)
    throw errors.invalid(`user_metadata must be at most ${MAX_USER_METADATA / 1024} KB in all`);
}

/** Merges provider claims without a size limit: they are short, and sign-in must not fail because of other metadata. */
export const mergeClaims = (tx: Connection, userId: string, claims: Metadata) =>
  merge(tx, userId, 'raw_user_meta_data', claims);

async function merge(tx: Connection, userId: string, column: MetadataColumn, data: Metadata) {
  const text = `update auth.users set updated_at = now(), ${column} = (
       select coalesce(jsonb_object_agg(key, value), '{}')
       from jsonb_each(coalesce(${column}, '{}') || $2::jsonb) where value <> 'null'
     ) where id = $1 returning ${column} as merged`;
  return (await findRow<{ merged: Metadata }>(tx, text, [userId, data]))?.merged ?? {};
}

/** Pending links to the old one become invalid. @throws ApiError 422 when it is taken */
export async function changeIdentifier(tx: Connection, userId: string, column: 'email' | 'phone', value: string) {
  const userUpdate = `update auth.users set ${column} = $2, ${column}_change = '', updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}')
         || case when ${HAS_PROFILE_COPY} then jsonb_build_object('${column}', $2::text) else '{}' end
     where id = $1 and not exists (select from auth.users where ${column} = $2 and not is_sso_user and id <> $1)
     returning ${column}_confirmed_at is not null as verified`;
  const { rows } = await tx.query<{ verified: boolean }>(userUpdate, [userId, value]);
  if (!rows[0]) throw column === 'email' ? errors.emailExists() : errors.phoneExists();
  const data = { sub: userId, [column]: value, [`${column}_verified`]: rows[0].verified };
  const identityUpdate = `update auth.identities set identity_data = identity_data || $2::jsonb, updated_at = now()
     where user_id = $1 and provider = '${column}' returning id`;
  if (await hasRow(tx, identityUpdate, [userId, data])) return;
  await addIdentity(tx, userId, { provider: column, providerId: userId, data });
}
