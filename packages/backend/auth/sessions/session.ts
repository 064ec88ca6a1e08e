import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { databaseTime } from '../../database/clock.ts';
import type { Connection } from '../../database/database.ts';
import type { AuthContext, Env } from '../context.ts';
import { findUser, showUser, type UserRow } from '../users/user.ts';
import { accessToken } from './access-token.ts';
import { firstRefreshToken } from './refresh-token.ts';

export type SignInMethod =
  | 'password'
  | 'otp'
  | 'oauth'
  | 'sso/saml'
  | 'anonymous'
  | 'invite'
  | 'magiclink'
  | 'recovery'
  | 'email/signup'
  | 'email_change';

export interface Proof {
  method: string;
  /** Unix seconds. */
  timestamp: number;
  /** For SSO: `sso:<provider uuid>`. */
  provider?: string;
}

export interface Session {
  id: string;
  aal: 'aal1' | 'aal2';
  /** Newest first. */
  amr: Proof[];
}

export interface SignedIn {
  user: UserRow;
  session: Session;
  refreshToken: string;
}

export async function startSession(
  tx: Connection,
  c: Context<Env>,
  userId: string,
  method: SignInMethod,
): Promise<SignedIn> {
  const id = randomUUID();
  const [address] = c.env.address.split('/');
  await tx.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip, not_after)
     values ($1, $2, now(), now(), 'aal1', $3, $4::inet, now() + make_interval(secs => $5))`,
    [
      id,
      userId,
      c.req.header('user-agent')?.slice(0, 500) ?? null,
      isIP(address!) ? address! : null,
      c.var.identity.project.auth.sessions.timebox ?? null,
    ],
  );
  await addProof(tx, id, method);
  const refreshToken = await firstRefreshToken(tx, c.var.identity.keys, id, userId);
  await tx.query('update auth.users set last_sign_in_at = now(), updated_at = now() where id = $1', [userId]);
  const user = (await findUser(tx, userId))!;
  const proof = { method, timestamp: Math.floor(databaseTime() / 1000) };
  return { user, session: { id, aal: 'aal1', amr: [withProvider(proof, user)] }, refreshToken };
}

export async function addProof(tx: Connection, sessionId: string, method: string): Promise<void> {
  await tx.query(
    `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     values ($1, $2, $3, now(), now())
     on conflict (session_id, authentication_method) do update set created_at = now(), updated_at = now()`,
    [randomUUID(), sessionId, method],
  );
}

export async function proofsOf(tx: Connection, sessionId: string, user: UserRow): Promise<Proof[]> {
  const { rows } = await tx.query<Proof>(
    `select authentication_method as method, extract(epoch from created_at)::int8 as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by created_at desc`,
    [sessionId],
  );
  return rows.map((proof) => withProvider(proof, user));
}

export function withProvider(proof: Proof, { identities }: UserRow): Proof {
  const ssoIdentity = identities.find(({ provider }) => provider.startsWith('sso:'));
  return proof.method === 'sso/saml' && ssoIdentity ? { ...proof, provider: ssoIdentity.provider } : proof;
}

/**
 * SQL condition for a row `s` of `auth.sessions` that has ended. Its access token stays valid until it expires.
 * @param at SQL expression for the current time
 */
export function hasEnded({ auth }: SupabaseProject, at = 'now()'): string {
  const { timebox, inactivity_timeout: idle } = auth.sessions;
  return [
    `coalesce(s.not_after <= ${at}, false)`,
    ...(timebox ? [`s.created_at <= ${at} - make_interval(secs => ${Number(timebox)})`] : []),
    ...(idle ? [`coalesce(s.refreshed_at, s.created_at) <= ${at} - make_interval(secs => ${Number(idle)})`] : []),
  ].join(' or ');
}

export async function sessionResponse(
  identity: AuthContext,
  { user, session, refreshToken }: SignedIn,
  extra: object = {},
) {
  const { token, expiresIn, expiresAt } = await accessToken(identity, user, session);
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    ...extra,
    user: showUser(user),
  };
}

export type TokenResponse = Awaited<ReturnType<typeof sessionResponse>>;
