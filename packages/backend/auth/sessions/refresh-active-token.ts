import type { AuthContext } from '../context.ts';
import { IS_BANNED, USER_COLUMNS, type UserRow } from '../users/user.ts';
import { hashOf, sessionIn, tokenAfter } from './refresh-token.ts';
import { hasEnded, type Proof, type SignedIn, withProvider } from './session.ts';

export const LOCK_TIMEOUT = "set local lock_timeout = '5s'";

interface RefreshedRow extends UserRow {
  aal: 'aal1' | 'aal2';
  proofs: Proof[] | null;
}

/**
 * Fast path in one statement instead of nine: the active token of a valid session. Returns null without changes in all
 * other cases (reuse, concurrency, ended session).
 */
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
  const [row] = results.at(-1)!.rows as unknown as RefreshedRow[];
  if (!row) return null;
  const amr = (row.proofs ?? []).map((proof) => withProvider(proof, row));
  return { user: row, session: { id: sessionId, aal: row.aal, amr }, refreshToken: token };
}
