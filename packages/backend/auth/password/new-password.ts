import { databaseTime } from '../../database/clock.ts';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { redeemCode } from '../links/one-time-token.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';
import { requireStrong } from './policy.ts';

const RECENT_MS = 24 * 60 * 60 * 1000;

/**
 * Protects an unattended session: needs a sign-in within 24 hours, a fresh code, or the old password. With
 * `secure_password_change` the old password is not enough.
 * @param change.nonce redeemed with the change itself (`redeemNonce`)
 */
export async function allowNewPassword(
  c: AuthRequest,
  change: { password: string; current: string | null; nonce: string | null },
): Promise<void> {
  const { passwords, project } = c.var.identity;
  const { user } = c.var;
  const storedHash = user.encrypted_password;
  requireStrong(change.password, project.auth, user.email);
  const knowsCurrent = change.current !== null && storedHash !== null;
  if (knowsCurrent) await requireCurrent(c, change.current!, storedHash);
  const isSufficient = change.nonce !== null || (knowsCurrent && !project.auth.email.secure_password_change);
  if (!isSufficient && databaseTime() - c.var.signedInAt > RECENT_MS) throw errors.reauthenticationNeeded();
  if (storedHash && (await passwords.matches(change.password, storedHash))) throw errors.samePassword();
}

async function requireCurrent(c: AuthRequest, current: string, storedHash: string): Promise<void> {
  const { db, passwords } = c.var.identity;
  const { user } = c.var;
  const name = user.email ?? user.phone ?? user.id;
  const wait = await countFailure(db, name);
  if (wait > 0) throw errors.tooManyRequests(wait);
  if (!(await passwords.matches(current, storedHash))) throw errors.wrongCurrentPassword();
  await resetFailures(db, name);
}

export async function redeemNonce(tx: Transaction, c: AuthRequest, nonce: string): Promise<boolean> {
  const { user } = c.var;
  const sentTo = user.email ?? user.phone;
  const redeemed = sentTo ? await redeemCode(tx, c.var.identity.keys, sentTo, nonce, ['reauthentication']) : null;
  const isRight = redeemed?.userId === user.id;
  await record(tx, c, { action: 'user_reauthenticated', outcome: isRight ? 'success' : 'refused' });
  return isRight;
}
