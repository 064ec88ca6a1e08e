import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { nextRefreshToken } from '../sessions/refresh-token.ts';
import { addProof, proofsOf, type SignedIn } from '../sessions/session.ts';
import { findUser } from '../users/user.ts';

/**
 * Raises the session to aal2, rotates its refresh token and ends the user's sessions below aal2. The caller must hold
 * the locks of `lockSession`.
 * @param proven.factorId null for a recovery code
 */
export async function raiseSession(
  tx: Connection,
  c: Context<Env>,
  proven: {
    sessionId: string;
    userId: string;
    factorId: string | null;
    method: 'totp' | 'mfa/phone' | 'mfa/recovery_code';
  },
): Promise<SignedIn> {
  const { sessionId, userId } = proven;
  await tx.query(
    `update auth.sessions set aal = 'aal2', factor_id = $2, refreshed_at = now(), updated_at = now() where id = $1`,
    [sessionId, proven.factorId],
  );
  await tx.query("delete from auth.sessions where user_id = $1 and id <> $2 and aal is distinct from 'aal2'", [
    userId,
    sessionId,
  ]);
  await addProof(tx, sessionId, proven.method);
  const refreshToken = await nextRefreshToken(tx, c.var.identity.keys, { id: sessionId, user_id: userId });
  if (!refreshToken) throw errors.sessionOfTokenGone();
  const user = (await findUser(tx, userId))!;
  return { user, session: { id: sessionId, aal: 'aal2', amr: await proofsOf(tx, sessionId, user) }, refreshToken };
}
