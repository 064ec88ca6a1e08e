import type { Connection } from '../../database/database.ts';
import type { UserRow } from '../users/user.ts';

const LOCAL_PROVIDERS = new Set(['email', 'phone']);

export const hasExternalIdentity = (user: UserRow): boolean =>
  user.identities.some(({ provider }) => !LOCAL_PROVIDERS.has(provider));

/** Security: whether someone other than the owner of the unconfirmed address may hold credentials of this account. */
export const isUnverified = (user: UserRow): boolean =>
  !user.email_confirmed_at &&
  !user.phone_confirmed_at &&
  (user.encrypted_password !== null || user.factors.length > 0 || hasExternalIdentity(user));

/** Removes all such credentials; call before confirming the address or number. */
export async function removeUnverifiedCredentials(tx: Connection, userId: string): Promise<void> {
  // Lock order: tokens before the user, as when redeeming.
  for (const table of ['one_time_tokens', 'sessions', 'mfa_factors', 'recovery_codes', 'flow_state'])
    await tx.query(`delete from auth.${table} where user_id = $1`, [userId]);
  await tx.query(
    "update auth.users set encrypted_password = null, email_change = '', phone_change = '' where id = $1",
    [userId],
  );
  await tx.query("delete from auth.identities where user_id = $1 and provider not in ('email', 'phone')", [userId]);
}
