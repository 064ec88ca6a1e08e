import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { Connection } from '../database/database.ts';
import { accessToken } from './access-token.ts';
import type { Env, Identity } from './identity.ts';
import { firstRefreshToken } from './refresh-token.ts';
import { findUser, showUser, type UserRow } from './user.ts';

export type SignInMethod = 'password' | 'otp';

export interface Session {
  id: string;
  aal: 'aal1' | 'aal2';
  /** How the person proved who they are, newest first; `timestamp` in unix seconds. */
  amr: { method: string; timestamp: number }[];
}

export interface SignedIn {
  user: UserRow;
  session: Session;
  refreshToken: string;
}

/** Opens a session for a user who has just proved who they are. Commits with the caller's transaction. */
export async function startSession(
  tx: Connection,
  c: Context<Env>,
  userId: string,
  method: SignInMethod,
): Promise<SignedIn> {
  const id = randomUUID();
  const [address] = c.env.address.split('/');
  await tx.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
     values ($1, $2, now(), now(), 'aal1', $3, $4::inet)`,
    [id, userId, c.req.header('user-agent')?.slice(0, 500) ?? null, isIP(address!) ? address! : null],
  );
  await tx.query(
    `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     values ($1, $2, $3, now(), now())`,
    [randomUUID(), id, method],
  );
  const refreshToken = await firstRefreshToken(tx, c.var.identity.keys, id, userId);
  await tx.query('update auth.users set last_sign_in_at = now(), updated_at = now() where id = $1', [userId]);
  const user = (await findUser(tx, userId))!;
  const timestamp = Math.floor(Date.now() / 1000);
  return { user, session: { id, aal: 'aal1', amr: [{ method, timestamp }] }, refreshToken };
}

/** The token response of every sign-in and refresh. */
export async function sessionAnswer(identity: Identity, { user, session, refreshToken }: SignedIn) {
  const { token, expiresIn, expiresAt } = await accessToken(identity, user, session);
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: showUser(user),
  };
}
