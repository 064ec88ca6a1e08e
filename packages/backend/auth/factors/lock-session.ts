import type { Connection } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { nextRefreshToken } from '../sessions/refresh-token.ts';
import { addProof, proofsOf, type SignedIn } from '../sessions/session.ts';
import { type FactorRow, findUser, lockUser, type UserRow } from '../users/user.ts';

/**
 * Raises the session to aal2, rotates its refresh token and ends the user's sessions below aal2. The caller must hold
 * the locks of `lockSession`.
 * @param proven.factorId null for a recovery code
 */
export async function raiseSession(
  tx: Connection,
  c: AuthRequest,
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

export interface LockedSession {
  user: UserRow;
  session: { id: string; aal: 'aal1' | 'aal2' };
}

/**
 * Locks the user and session: serializes everything that changes or verifies factors. A code sent twice concurrently is
 * accepted once, and two sessions raised at the same time do not end each other.
 * @throws ApiError 403 when user or session no longer exists, or the token has no session
 */
export async function lockSession(tx: Connection, c: AuthRequest): Promise<LockedSession> {
  const user = await lockUser(tx, c.var.user.id);
  if (!user) throw errors.userOfTokenGone();
  const { rows } = await tx.query<LockedSession['session']>(
    `select id, coalesce(aal, 'aal1') as aal from auth.sessions where id = $1 and user_id = $2 for update`,
    [c.var.sessionId, user.id],
  );
  if (!rows[0]) throw errors.sessionOfTokenGone();
  return { user, session: rows[0] };
}

/** The factor in `/factors/{id}`. @throws ApiError 404, also for a factor of another user */
export function factorOfPath({ factors }: UserRow, c: AuthRequest, name = 'id'): FactorRow {
  const id = c.req.param(name) ?? '';
  if (!isUuid(id)) throw errors.factorIdNotUuid();
  const factor = factors.find((candidate) => candidate.id === id.toLowerCase());
  if (!factor) throw errors.factorNotFound();
  return factor;
}

export const isVerified = ({ status }: FactorRow) => status === 'verified';
