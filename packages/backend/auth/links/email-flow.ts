import type { Connection } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { hasExternalIdentity } from '../linking/competing-sign-ups.ts';
import { type Challenge, startFlow } from '../providers/flow-state.ts';
import type { SignInMethod } from '../sessions/session.ts';
import type { UserRow } from '../users/user.ts';
import { type AuthEmail, type EmailPurpose, emailFor } from './auth-emails.ts';

const METHODS: Partial<Record<EmailPurpose, SignInMethod>> = {
  signup: 'email/signup',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magiclink',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
};

/** Stores the client's PKCE challenge until the e-mail is confirmed. @returns null in the implicit flow */
export const startEmailFlow = async (
  tx: Connection,
  purpose: EmailPurpose,
  redirectTo: string,
  challenge: Challenge | null,
): Promise<string | null> =>
  challenge && startFlow(tx, { challenge, provider: 'email', method: METHODS[purpose] ?? 'otp', redirectTo });

export async function emailWithFlow(
  tx: Connection,
  identity: AuthContext,
  user: UserRow,
  purpose: EmailPurpose,
  redirectTo: string,
  challenge: Challenge | null,
): Promise<AuthEmail> {
  const flowId = await startEmailFlow(tx, purpose, redirectTo, challenge);
  return emailFor(tx, identity, user, purpose, redirectTo, { flowId });
}

/**
 * Security: an unconfirmed account with an identity of another provider may belong to another person. Its owner then
 * gets a `magiclink`, which removes that identity, and the pending confirmation is void.
 */
export async function confirmationEmail(
  tx: Connection,
  identity: AuthContext,
  user: UserRow,
  redirectTo: string,
  challenge: Challenge | null,
): Promise<AuthEmail> {
  if (!hasExternalIdentity(user)) return emailWithFlow(tx, identity, user, 'signup', redirectTo, challenge);
  await tx.query("delete from auth.one_time_tokens where user_id = $1 and token_type = 'confirmation_token'", [
    user.id,
  ]);
  return emailWithFlow(tx, identity, user, 'magiclink', redirectTo, challenge);
}
