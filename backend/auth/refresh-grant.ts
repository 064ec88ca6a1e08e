import type { Context } from 'hono';
import * as z from 'zod';
import { DatabaseError, type Transaction } from '../database/database.ts';
import { record } from './audit.ts';
import { read } from './body.ts';
import { type ApiError, errors } from './errors.ts';
import type { Env } from './identity.ts';
import { countRequest } from './rates.ts';
import { hashOf, looksLikeRefreshToken, rotate } from './refresh-token.ts';
import { type SignedIn, sessionAnswer } from './session.ts';
import { findUser } from './user.ts';

const Body = z.object({ refresh_token: z.string() });
const LOCK_NOT_AVAILABLE = '55P03';

interface SessionRow {
  id: string;
  user_id: string;
  aal: 'aal1' | 'aal2';
  ended: boolean;
}

/**
 * `grant_type=refresh_token`: every use gives a new token. A token used twice, outside the tolerance for tabs and
 * lost answers, was stolen from somebody: its whole session ends, although this request is refused.
 */
export async function refreshGrant(c: Context<Env>) {
  await countRequest(c, 'refresh');
  const { refresh_token: presented } = await read(c, Body);
  if (!looksLikeRefreshToken(presented)) throw errors.malformedRefreshToken();
  const { db, project } = c.var.identity;
  try {
    // A refusal is returned, not thrown, so that what it changed is committed.
    const outcome = await db.transaction(async (tx) => {
      if (db.engine === 'postgres') await tx.query("set local lock_timeout = '5s'");
      return refresh(tx, c, presented, {
        rotation: project.auth.enable_refresh_token_rotation,
        reuseInterval: project.auth.refresh_token_reuse_interval,
      });
    });
    if (outcome instanceof Error) throw outcome;
    return c.json(await sessionAnswer(c.var.identity, outcome));
  } catch (error) {
    throw error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE ? errors.conflict() : error;
  }
}

async function refresh(
  tx: Transaction,
  c: Context<Env>,
  presented: string,
  options: { rotation: boolean; reuseInterval: number },
): Promise<SignedIn | ApiError> {
  const session = await lockSession(tx, presented);
  if (!session) return errors.unknownRefreshToken();
  if (session.ended) return errors.sessionExpired();
  const user = await findUser(tx, session.user_id);
  if (!user || user.deleted_at) return errors.unknownRefreshToken();
  if (user.is_banned) return errors.bannedAtRefresh();

  const rotation = await rotate(tx, c.var.identity.keys, session, presented, options);
  if (rotation.kind === 'unknown') return errors.unknownRefreshToken();
  if (rotation.kind === 'reused') {
    await tx.query('delete from auth.sessions where id = $1', [session.id]);
    await record(tx, c, { action: 'token_reused', outcome: 'refused', actor: user.id, session: session.id });
    return errors.reusedRefreshToken();
  }
  await tx.query('update auth.sessions set refreshed_at = now(), updated_at = now() where id = $1', [session.id]);
  const amr = await methodsOf(tx, session.id);
  return { user, session: { id: session.id, aal: session.aal, amr }, refreshToken: rotation.token };
}

/** Everybody who refreshes this session waits here for the one before. */
async function lockSession(tx: Transaction, presented: string): Promise<SessionRow | null> {
  const { rows } = await tx.query<SessionRow>(
    `select id, user_id, aal, coalesce(not_after <= now(), false) as ended from auth.sessions
     where id = (select session_id from auth.refresh_tokens where token = $1) for update`,
    [hashOf(presented)],
  );
  return rows[0] ?? null;
}

async function methodsOf(tx: Transaction, sessionId: string): Promise<{ method: string; timestamp: number }[]> {
  const { rows } = await tx.query<{ method: string; timestamp: number }>(
    `select authentication_method as method, extract(epoch from created_at)::int8 as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by created_at desc`,
    [sessionId],
  );
  return rows;
}
