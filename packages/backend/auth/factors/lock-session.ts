import { type Connection, findRow } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { nextRefreshToken } from '../sessions/refresh-token.ts';
import { addProof, proofsOf, type SignedIn } from '../sessions/session.ts';
import { type FactorRow, findUser, lockUser, type UserRow } from '../users/user.ts';

/** To aal2: rotates the refresh token and ends the sessions below aal2. @param locked by `lockSession` */
export async function raiseSession(
  tx: Connection,
  c: AuthRequest,
  { user: { id: userId }, session: { id } }: LockedSession,
  method: 'totp' | 'mfa/phone' | 'mfa/recovery_code',
  factorId: string | null,
): Promise<SignedIn> {
  const text = `update auth.sessions set aal = 'aal2', factor_id = $2, refreshed_at = now(), updated_at = now()
     where id = $1`;
  await tx.query(text, [id, factorId]);
  const below = "delete from auth.sessions where user_id = $1 and id <> $2 and aal is distinct from 'aal2'";
  await tx.query(below, [userId, id]);
  await addProof(tx, id, method);
  const refreshToken = await nextRefreshToken(tx, c.var.identity.keys, { id, user_id: userId });
  if (!refreshToken) throw errors.sessionOfTokenGone();
  const user = (await findUser(tx, userId))!;
  return { user, session: { id, aal: 'aal2', amr: await proofsOf(tx, id, user) }, refreshToken };
}

export type LockedSession = { user: UserRow; session: { id: string; aal: 'aal1' | 'aal2' } };

/**
 * Serializes all that changes or verifies factors: a code sent twice concurrently is accepted once, and two sessions
 * raised at the same time do not end each other.
 */
export async function lockSession(tx: Connection, c: AuthRequest): Promise<LockedSession> {
  const user = await lockUser(tx, c.var.user.id);
  if (!user) throw errors.userOfTokenGone();
  const text = `select id, coalesce(aal, 'aal1') as aal from auth.sessions where id = $1 and user_id = $2 for update`;
  const session = await findRow<LockedSession['session']>(tx, text, [c.var.sessionId, user.id]);
  if (!session) throw errors.sessionOfTokenGone();
  return { user, session };
}

/** The factor in `/factors/{id}`. @throws ApiError 404, also for a factor of another user */
export function factorOfPath({ factors }: UserRow, c: AuthRequest, name = 'id'): FactorRow {
  const id = c.req.param(name) ?? '';
  if (!isUuid(id)) throw errors.notUuid('factor_id');
  const factor = factors.find((candidate) => candidate.id === id.toLowerCase());
  if (!factor) throw errors.factorNotFound();
  return factor;
}

export const isVerified = ({ status }: FactorRow) => status === 'verified';
