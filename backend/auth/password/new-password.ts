import type { Context } from 'hono';
import { databaseTime } from '../../clock.ts';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { redeemCode } from '../links/one-time-token.ts';
import { countFailure, forgetFailures } from '../login-throttle.ts';
import { requireStrong } from './policy.ts';

const RECENT_MS = 24 * 60 * 60 * 1000;

/**
 * Protects an unattended session: needs a sign-in within 24 hours, a fresh code, or the old password. With
 * `secure_password_change` the old password is not enough.
 * @param wish.nonce redeemed with the change itself (`redeemNonce`)
 */
export async function allowNewPassword(
  c: Context<Env>,
  wish: { password: string; current: string | null; nonce: string | null },
): Promise<void> {
  const { passwords, project } = c.var.identity;
  const { user } = c.var;
  const old = user.encrypted_password;
  requireStrong(wish.password, project.auth, user.email);
  const knowsOld = wish.current !== null && old !== null;
  if (knowsOld) await requireCurrent(c, wish.current!, old);
  const enough = wish.nonce !== null || (knowsOld && !project.auth.email.secure_password_change);
  if (!enough && databaseTime() - c.var.signedInAt > RECENT_MS) throw errors.reauthenticationNeeded();
  if (old && (await passwords.matches(wish.password, old))) throw errors.samePassword();
}

async function requireCurrent(c: Context<Env>, current: string, old: string): Promise<void> {
  const { db, passwords } = c.var.identity;
  const { user } = c.var;
  const name = user.email ?? user.phone ?? user.id;
  const wait = await countFailure(db, name);
  if (wait > 0) throw errors.tooManyRequests(wait);
  if (!(await passwords.matches(current, old))) throw errors.wrongCurrentPassword();
  await forgetFailures(db, name);
}

export async function redeemNonce(tx: Transaction, c: Context<Env>, nonce: string): Promise<boolean> {
  const { user, sessionId } = c.var;
  const sentTo = user.email ?? user.phone;
  const redeemed = sentTo ? await redeemCode(tx, c.var.identity.keys, sentTo, nonce, ['reauthentication']) : null;
  const right = redeemed?.userId === user.id;
  await record(tx, c, {
    action: 'user_reauthenticated',
    outcome: right ? 'success' : 'refused',
    actor: user.id,
    session: sessionId,
  });
  return right;
}
