import { randomUUID } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import { findUser, type UserRow } from './user.ts';

export interface NewAccount {
  id?: string | undefined;
  email: string;
  passwordHash: string | null;
  /** The user's own words; grants nothing. */
  userMetadata: Record<string, unknown>;
  /** Only ever from a holder of the service key. */
  appMetadata?: Record<string, unknown> | undefined;
  confirmed: boolean;
  bannedUntil?: Date | null | undefined;
}

/** What `user_metadata` and the e-mail identity hold: the sign-up data, overruled by what we know ourselves. */
export const identityData = (id: string, email: string, verified: boolean, data: Record<string, unknown>) => ({
  ...data,
  sub: id,
  email,
  email_verified: verified,
  phone_verified: false,
});

/** Makes a user with an e-mail identity. Answers null when the address (or id) is taken, also by a rival at this instant. */
export async function createAccount(tx: Connection, account: NewAccount): Promise<UserRow | null> {
  const id = account.id ?? randomUUID();
  const known = identityData(id, account.email, account.confirmed, account.userMetadata);
  const { rows } = await tx.query(
    `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
       raw_app_meta_data, raw_user_meta_data, banned_until, is_anonymous, created_at, updated_at)
     values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3,
       case when $4::boolean then now() end, $5::jsonb, $6::jsonb, $7, false, now(), now())
     on conflict do nothing returning id`,
    [
      id,
      account.email,
      account.passwordHash,
      account.confirmed,
      { ...account.appMetadata, provider: 'email', providers: ['email'] },
      known,
      account.bannedUntil ?? null,
    ],
  );
  if (!rows.length) return null;
  await tx.query(
    `insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2::uuid::text, $2::uuid, $3::jsonb, 'email', now(), now(), now())`,
    [randomUUID(), id, known],
  );
  return findUser(tx, id);
}

/** Somebody proved that they read the mailbox. Other fields stay as they are. */
export async function confirmEmail(tx: Connection, userId: string): Promise<void> {
  await tx.query(
    `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}'
     where id = $1`,
    [userId],
  );
  await tx.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [userId],
  );
}

/** Sets a password and ends what the old one opened: waiting mail links and every session but `keep`. */
export async function setPassword(
  tx: Connection,
  userId: string,
  passwordHash: string,
  keep: string | null,
): Promise<void> {
  await tx.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
    userId,
    passwordHash,
  ]);
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId]);
  await tx.query('delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid', [userId, keep]);
}

/** Merges metadata; a null value deletes its key. Only `user_metadata` is the user's own to change. */
export async function mergeMetadata(
  tx: Connection,
  userId: string,
  column: 'raw_user_meta_data' | 'raw_app_meta_data',
  data: Record<string, unknown>,
): Promise<void> {
  await tx.query(
    `update auth.users set updated_at = now(), ${column} = (
       select coalesce(jsonb_object_agg(key, value), '{}')
       from jsonb_each(coalesce(${column}, '{}') || $2::jsonb) where value <> 'null'
     ) where id = $1`,
    [userId, data],
  );
}

/** Gives an account another address, at once. Answers false when somebody else has it. Waiting mail links die with the old one. */
export async function changeEmail(tx: Connection, userId: string, email: string): Promise<boolean> {
  const { rows } = await tx.query(
    `update auth.users set email = $2, updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', $2::text)
     where id = $1 and not exists (select from auth.users where email = $2 and not is_sso_user and id <> $1) returning id`,
    [userId, email],
  );
  await tx.query(
    `update auth.identities set identity_data = identity_data || jsonb_build_object('email', $2::text), updated_at = now()
     where user_id = $1 and provider = 'email' and $3::boolean`,
    [userId, email, rows.length > 0],
  );
  return rows.length > 0;
}
