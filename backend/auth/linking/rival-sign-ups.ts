import type { Connection } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import type { Applicant } from '../links/one-time-token.ts';
import { identityData } from '../users/account.ts';
import { findUserByEmail, findUserByPhone, type UserRow } from '../users/user.ts';

/**
 * Anybody can sign up for a name, and wait for its owner to confirm what they wrote. So as soon as somebody signs up for a
 * waiting name with another password, neither first nor last wins: the account has no password until a letter is pressed,
 * and then gets the one of that letter's sign-up, if the press comes from where the sign-up came from. Else it has none, and
 * its owner, who is signed in by then, chooses one.
 */

/** Writes down whose letter it is, beside its token. */
export async function rememberApplicant(tx: Connection, userId: string, applicant: Applicant): Promise<void> {
  await tx.query(
    `update auth.one_time_tokens set applicant = $2::jsonb where user_id = $1 and token_type = 'confirmation_token'`,
    [userId, { ...applicant }],
  );
}

/**
 * After the answer, which tells nothing of it: looks whether somebody else signed up for the name, by the password.
 * @param letterGoes false when no letter may go for this sign-up: the one that is under way is anybody's then
 */
export function contest(
  { db, later, passwords }: AuthContext,
  { email, phone }: { email: string; phone: null } | { email: null; phone: string },
  password: string,
  { letterGoes }: { letterGoes: boolean },
): void {
  later(async () => {
    const user = email === null ? await findUserByPhone(db, phone) : await findUserByEmail(db, email);
    const same = await passwords.matches(password, user?.encrypted_password ?? null);
    if (!user || same || user.encrypted_password === null) return;
    await db.transaction(async (tx) => {
      // Tokens before the user, as everybody who redeems one.
      if (!letterGoes) await rememberApplicant(tx, user.id, {});
      await tx.query(
        `update auth.users set encrypted_password = null, raw_user_meta_data = $3::jsonb
         where id = $1 and encrypted_password = $2 and email_confirmed_at is null and phone_confirmed_at is null`,
        [user.id, user.encrypted_password, own(user, {})],
      );
    });
  });
}

/**
 * Somebody pressed the letter of a sign-up.
 * @param address where the press comes from
 * @returns whether the account is left without a password because several had signed up for it
 */
export async function settleRivals(
  tx: Connection,
  user: UserRow,
  { password_hash: passwordHash, user_metadata: metadata, address: signedUpFrom }: Applicant,
  address: string,
): Promise<boolean> {
  if (user.encrypted_password !== null) return false;
  if (!passwordHash || signedUpFrom !== address) return true;
  const data = own(user, metadata ?? {});
  await tx.query('update auth.users set encrypted_password = $2, raw_user_meta_data = $3::jsonb where id = $1', [
    user.id,
    passwordHash,
    data,
  ]);
  await tx.query(
    `update auth.identities set identity_data = $2::jsonb where user_id = $1 and provider in ('email', 'phone')`,
    [user.id, data],
  );
  return false;
}

const own = ({ id, email, phone }: UserRow, data: Record<string, unknown>) =>
  identityData(id, { email, phone, emailVerified: false, phoneVerified: false }, data);
