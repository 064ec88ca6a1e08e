import * as z from 'zod';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { findRow, type Transaction } from '../../database/database.ts';
import { commitRefusal, record } from '../audit.ts';
import { readBody } from '../body.ts';
import type { AuthContext, AuthRequest } from '../context.ts';
import { asApiError } from '../error-response.ts';
import { ApiError, errors, transactOrRefuse } from '../errors.ts';
import { countRequest } from '../rates.ts';
import { findUser, IS_BANNED, USER_COLUMNS, type UserRow } from '../users/user.ts';
import { hashOf, isRefreshToken, rotate, sessionIn, tokenAfter } from './refresh-token.ts';
import { hasEnded, type Proof, proofsOf, type SignedIn, sessionResponse, withProvider } from './session.ts';

const Body = z.object({ refresh_token: z.string() });

/** Reuse outside the tolerance for tabs and lost responses means theft: the whole session is deleted. */
export async function refreshGrant(c: AuthRequest) {
  const { db } = c.var.identity;
  try {
    await countRequest(c, 'refresh');
    const { refresh_token: presented } = await readBody(c, Body);
    if (!isRefreshToken(presented)) throw errors.invalid('Refresh token is not valid');
    const fast = await refreshActiveToken(c.var.identity, presented);
    if (fast) return c.json(await sessionResponse(c.var.identity, fast));
    const refreshed = await transactOrRefuse(db, async (tx) => {
      if (db.engine === 'postgres') await tx.query(LOCK_TIMEOUT);
      return refresh(tx, c, presented);
    });
    return c.json(await sessionResponse(c.var.identity, refreshed));
  } catch (error) {
    const { status, code, message, details } = asApiError(error);
    // After a 429 or 507 the client would sign out; after a 503 it keeps the session and retries.
    throw status === 429 || status === 507 ? new ApiError(503, code, message, details) : error;
  }
}

async function refresh(tx: Transaction, c: AuthRequest, presented: string): Promise<SignedIn | ApiError> {
  const { keys, project } = c.var.identity;
  const session = await lockSession(tx, project, presented);
  if (!session) return errors.unknownRefreshToken();
  if (session.ended) return errors.sessionExpired();
  const user = await findUser(tx, session.user_id);
  if (!user || user.deleted_at) return errors.unknownRefreshToken();
  if (user.is_banned) {
    const event = { action: 'token_refreshed', actor: user.id, session: session.id } as const;
    return commitRefusal(tx, c, event, errors.bannedAtRefresh());
  }

  const rotation = await rotate(tx, keys, session, presented, project.auth);
  if (rotation === 'unknown') return errors.unknownRefreshToken();
  if (rotation === 'reused') {
    await tx.query('delete from auth.sessions where id = $1', [session.id]);
    await record(tx, c, { action: 'token_reused', outcome: 'refused', actor: user.id, session: session.id });
    return errors.reusedRefreshToken();
  }
  await tx.query('update auth.sessions set refreshed_at = now(), updated_at = now() where id = $1', [session.id]);
  const amr = await proofsOf(tx, session.id, user);
  return { user, session: { id: session.id, aal: session.aal, amr }, refreshToken: rotation.token };
}

function lockSession(tx: Transaction, project: SupabaseProject, presented: string) {
  const text = `select s.id, s.user_id, s.aal, (${hasEnded(project)}) as ended from auth.sessions s
     where s.id = (select session_id from auth.refresh_tokens where token = $1) for update`;
  return findRow<{ id: string; user_id: string; aal: 'aal1' | 'aal2'; ended: boolean }>(tx, text, [hashOf(presented)]);
}

export const LOCK_TIMEOUT = "set local lock_timeout = '5s'";

/** Fast path in one statement instead of nine. Null without changes for a reused token or an ended session. */
export async function refreshActiveToken(identity: AuthContext, presented: string): Promise<SignedIn | null> {
  const { db, keys, project } = identity;
  const sessionId = sessionIn(presented);
  if (!project.auth.enable_refresh_token_rotation || !sessionId) return null;
  const hash = hashOf(presented);
  const token = tokenAfter(keys, sessionId, hash);
  // Locks the session first, so that concurrent refreshes see all of this or none.
  const rotation = {
    text: `with standing as materialized (
        select s.id, s.user_id from auth.sessions s join auth.users u on u.id = s.user_id
        where s.id = $1 and not (${hasEnded(project)}) and u.deleted_at is null and not ${IS_BANNED} for update of s),
      used as (update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp()
        where token = $2 and not revoked and session_id in (select id from standing) returning session_id),
      touched as (update auth.sessions set refreshed_at = now(), updated_at = now()
        where id in (select session_id from used) returning id, user_id),
      successor as (insert into auth.refresh_tokens (token, parent, session_id, user_id, revoked, created_at, updated_at)
        select $3, $2, id, user_id, false, clock_timestamp(), clock_timestamp() from touched returning session_id)
      select ${USER_COLUMNS}, s.aal, (
        select json_agg(json_build_object('method', authentication_method, 'timestamp', extract(epoch from created_at)::int8)
          order by created_at desc) from auth.mfa_amr_claims where session_id = s.id) as proofs
      from successor join auth.sessions s on s.id = successor.session_id join auth.users u on u.id = s.user_id`,
    values: [sessionId, hash, hashOf(token)],
  };
  const results = await db.batch(db.engine === 'postgres' ? [{ text: LOCK_TIMEOUT }, rotation] : [rotation]);
  const [row] = results.at(-1)!.rows as unknown as (UserRow & { aal: 'aal1' | 'aal2'; proofs: Proof[] | null })[];
  if (!row) return null;
  const amr = (row.proofs ?? []).map((proof) => withProvider(proof, row));
  return { user: row, session: { id: sessionId, aal: row.aal, amr }, refreshToken: token };
}
