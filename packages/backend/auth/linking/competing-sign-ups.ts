import { type Connection, hasRow } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import type { Applicant } from '../links/one-time-token.ts';
import { deleteFlows } from '../providers/flow-state.ts';
import { setUserColumns } from '../rows.ts';
import { identityData, refreshProviders } from '../users/account.ts';
import { findUserOf, type Recipient, type UserRow } from '../users/user.ts';

export const hasExternalIdentity = (user: UserRow): boolean =>
  user.identities.some(({ provider }) => !/^(email|phone)$/.test(provider));

/** Security: whether credentials, or a mailed sign-up (`storeApplicant`), may be another person's than the owner's. */
export const isUnverified = (user: UserRow): boolean =>
  !user.email_confirmed_at &&
  !user.phone_confirmed_at &&
  ((user.confirmation_sent_at ?? user.encrypted_password) !== null ||
    user.factors.length > 0 ||
    hasExternalIdentity(user));

/** Removes all such credentials; call before confirming the address or number. */
export async function removeUnverifiedCredentials(tx: Connection, userId: string): Promise<void> {
  // Lock order: tokens and flows before the user, as when redeeming.
  for (const table of ['one_time_tokens', 'sessions', 'mfa_factors', 'recovery_codes'])
    await tx.query(`delete from auth.${table} where user_id = $1`, [userId]);
  await deleteFlows(tx, userId);
  await setUserColumns(tx, userId, { encrypted_password: null, email_change: '', phone_change: '' });
  await tx.query("delete from auth.identities where user_id = $1 and provider not in ('email', 'phone')", [userId]);
  await refreshProviders(tx, userId);
}

// Anyone can sign up with an address. When a second sign-up for an unconfirmed address uses another password, the account
// gets the password of the confirmed message's sign-up only if the confirmation comes from the same network address; else,
// and when a sign-in without one was requested, it has none, and the owner, signed in by then, chooses one.

export async function storeApplicant(tx: Connection, userId: string, applicant: Applicant): Promise<void> {
  const text = `update auth.one_time_tokens set applicant = $2::jsonb
     where user_id = $1 and token_type = 'confirmation_token'`;
  await tx.query(text, [userId, { ...applicant }]);
}

/** In the background, to reveal nothing. @param sendsEmail false: the pending e-mail may be of another sign-up */
export function clearContestedPassword(
  { db, later, passwords }: AuthContext,
  recipient: Recipient,
  password: string,
  { passwordHash, sendsEmail }: { passwordHash: string; sendsEmail: boolean },
): void {
  later(async () => {
    const user = await findUserOf(db, recipient);
    const isSame = await passwords.matches(password, user?.encrypted_password ?? null);
    if (!user || user.encrypted_password === null) return;
    if (isSame) {
      const text = `update auth.one_time_tokens set applicant = applicant || jsonb_build_object('password_hash', $2::text)
         where user_id = $1 and token_type = 'confirmation_token' and applicant ->> 'password_hash' = $3`;
      await db.query(text, [user.id, user.encrypted_password, passwordHash]);
      return;
    }
    await db.transaction(async (tx) => {
      // Lock order: tokens before the user, as when redeeming.
      if (!sendsEmail) await storeApplicant(tx, user.id, {});
      const text = `update auth.users set encrypted_password = null, raw_user_meta_data = $3::jsonb
         where id = $1 and encrypted_password = $2 and email_confirmed_at is null and phone_confirmed_at is null`;
      await tx.query(text, [user.id, user.encrypted_password, identityData(user.id, user, {})]);
    });
  });
}

/** @param address of the confirming client @returns whether the account has no password for competing sign-ups */
export async function resolveCompetingSignUps(tx: Connection, user: UserRow, applicant: Applicant, address: string) {
  const { password_hash: passwordHash, user_metadata: metadata } = applicant;
  const codes = "select from auth.one_time_tokens where user_id = $1 and purpose = 'magiclink'";
  const isCodeRequested = await hasRow(tx, codes, [user.id]);
  // Of another hash the background task may not have compared the password yet.
  const isOnly = user.encrypted_password !== null && user.encrypted_password === passwordHash;
  if (isOnly && !isCodeRequested) return false;
  const own = passwordHash && !isCodeRequested && applicant.address === address ? passwordHash : null;
  const data = identityData(user.id, user, own === null ? {} : (metadata ?? {}));
  await setUserColumns(tx, user.id, { encrypted_password: own, raw_user_meta_data: data });
  const text = `update auth.identities set identity_data = $2::jsonb where user_id = $1 and provider in ('email', 'phone')`;
  await tx.query(text, [user.id, data]);
  return own === null;
}
