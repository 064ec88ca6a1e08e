import type { Connection } from '../../database/database.ts';
import type { UserRow } from '../users/user.ts';

/** Accounts whose address or number nobody has proved: anybody may have made them, to wait for the owner to come. */

const OWN = new Set(['email', 'phone']);

/** Whether somebody comes into this account by another provider's word. */
export const hasForeignWay = (user: UserRow): boolean => user.identities.some(({ provider }) => !OWN.has(provider));

/** Whether a stranger may hold a way into this account. */
export const isUnverified = (user: UserRow): boolean =>
  !user.email_confirmed_at &&
  !user.phone_confirmed_at &&
  (user.encrypted_password !== null || user.factors.length > 0 || hasForeignWay(user));

/** The owner has come: what a stranger could come in by is gone, before anything is confirmed. */
export async function removeUnverified(tx: Connection, userId: string): Promise<void> {
  // Tokens before the user, as everybody who redeems one.
  for (const table of ['one_time_tokens', 'sessions', 'mfa_factors', 'recovery_codes', 'flow_state'])
    await tx.query(`delete from auth.${table} where user_id = $1`, [userId]);
  await tx.query(
    "update auth.users set encrypted_password = null, email_change = '', phone_change = '' where id = $1",
    [userId],
  );
  await tx.query("delete from auth.identities where user_id = $1 and provider not in ('email', 'phone')", [userId]);
}
