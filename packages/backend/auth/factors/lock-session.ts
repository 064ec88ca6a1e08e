import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { isUuid } from '../sessions/bearer.ts';
import { type FactorRow, findUser, type UserRow } from '../users/user.ts';

export interface LockedSession {
  user: UserRow;
  session: { id: string; aal: 'aal1' | 'aal2' };
}

/**
 * Locks the user and session: serializes everything that changes or verifies factors. A code sent twice concurrently is
 * accepted once, and two sessions raised at the same time do not end each other.
 * @throws ApiError 403 when user or session no longer exists, or the token has no session
 */
export async function lockSession(tx: Connection, c: Context<Env>): Promise<LockedSession> {
  const user = await lockUser(tx, c.var.user.id);
  if (!user) throw errors.userOfTokenGone();
  const { rows } = await tx.query<LockedSession['session']>(
    `select id, coalesce(aal, 'aal1') as aal from auth.sessions where id = $1 and user_id = $2 for update`,
    [c.var.sessionId, user.id],
  );
  if (!rows[0]) throw errors.sessionOfTokenGone();
  return { user, session: rows[0] };
}

/** Reads the user and locks the factors until the end of the transaction. */
export async function lockUser(tx: Connection, id: string): Promise<UserRow | null> {
  await tx.query('select from auth.users where id = $1 for no key update', [id]);
  return findUser(tx, id);
}

/** The factor in `/factors/{id}`. @throws ApiError 404, also for a factor of another user */
export function factorOfPath({ factors }: UserRow, c: Context<Env>, name = 'id'): FactorRow {
  const id = c.req.param(name) ?? '';
  if (!isUuid(id)) throw errors.factorIdNotUuid();
  const factor = factors.find((candidate) => candidate.id === id.toLowerCase());
  if (!factor) throw errors.factorNotFound();
  return factor;
}

export const isVerified = ({ status }: FactorRow) => status === 'verified';
