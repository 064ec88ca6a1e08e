import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { SignJWT } from 'jose';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { databaseTime } from '../../database/clock.ts';
import type { Connection } from '../../database/database.ts';
import { record } from '../audit.ts';
import type { AuthContext, AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { deleteFlows } from '../providers/flow-state.ts';
import { insertRow } from '../rows.ts';
import { findUser, showUser, type UserRow } from '../users/user.ts';
import { issueAfter } from './refresh-token.ts';

type EmailMethod = 'otp' | 'invite' | 'magiclink' | 'recovery' | 'email/signup' | 'email_change';
export type SignInMethod = 'password' | 'oauth' | 'sso/saml' | 'anonymous' | EmailMethod;

export interface Proof {
  method: string;
  /** Unix seconds. */
  timestamp: number;
  /** For SSO: `sso:<provider uuid>`. */
  provider?: string;
}

type Session = { id: string; aal: 'aal1' | 'aal2'; amr: Proof[] };

export type SignedIn = { user: UserRow; session: Session; refreshToken: string };

/** The client's address, or network of an IPv6 client, as `inet`. */
export function inetOf(c: AuthRequest): string | null {
  const [address] = c.env.address.split('/');
  return isIP(address!) ? address! : null;
}

export async function startSession(tx: Connection, c: AuthRequest, userId: string, method: SignInMethod) {
  const id = randomUUID();
  const { timebox } = c.var.identity.project.auth.sessions;
  await insertRow(tx, 'sessions', {
    id,
    user_id: userId,
    aal: 'aal1',
    user_agent: c.req.header('user-agent')?.slice(0, 500) ?? null,
    ip: inetOf(c),
    not_after: timebox ? new Date(databaseTime() + timebox * 1000) : null,
  });
  await addProof(tx, id, method);
  const refreshToken = await issueAfter(tx, c.var.identity.keys, { id, user_id: userId }, null);
  await tx.query('update auth.users set last_sign_in_at = now(), updated_at = now() where id = $1', [userId]);
  const user = (await findUser(tx, userId))!;
  const proof = { method, timestamp: Math.floor(databaseTime() / 1000) };
  const session: Session = { id, aal: 'aal1', amr: [withProvider(proof, user)] };
  return { user, session, refreshToken };
}

export async function logIn(tx: Connection, c: AuthRequest, userId: string, method: SignInMethod): Promise<SignedIn> {
  const started = await startSession(tx, c, userId, method);
  await record(tx, c, { action: 'login', actor: userId, session: started.session.id });
  return started;
}

export async function addProof(tx: Connection, sessionId: string, method: string): Promise<void> {
  const text = `insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $2)
     on conflict (session_id, authentication_method) do update set created_at = now(), updated_at = now()`;
  await tx.query(text, [sessionId, method]);
}

export async function proofsOf(tx: Connection, sessionId: string, user: UserRow): Promise<Proof[]> {
  const text = `select authentication_method as method, extract(epoch from created_at)::int8 as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by created_at desc`;
  const { rows } = await tx.query<Proof>(text, [sessionId]);
  return rows.map((proof) => withProvider(proof, user));
}

export function withProvider(proof: Proof, { identities }: UserRow): Proof {
  const ssoIdentity = identities.find(({ provider }) => provider.startsWith('sso:'));
  return proof.method === 'sso/saml' && ssoIdentity ? { ...proof, provider: ssoIdentity.provider } : proof;
}

/** SQL condition for a row `s` of `auth.sessions`. @param at SQL expression for the current time */
export function hasEnded({ auth }: SupabaseProject, at = 'now()'): string {
  const { timebox, inactivity_timeout: idle } = auth.sessions;
  return [
    `coalesce(s.not_after <= ${at}, false)`,
    ...(timebox ? [`s.created_at <= ${at} - make_interval(secs => ${Number(timebox)})`] : []),
    ...(idle ? [`coalesce(s.refreshed_at, s.created_at) <= ${at} - make_interval(secs => ${Number(idle)})`] : []),
  ].join(' or ');
}

export async function sessionResponse(identity: AuthContext, signedIn: SignedIn, extra: object = {}) {
  const expiresIn = identity.project.auth.jwt_expiry;
  const issuedAt = Math.floor(databaseTime() / 1000);
  return {
    access_token: await accessToken(identity, signedIn, { iat: issuedAt, exp: issuedAt + expiresIn }),
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: issuedAt + expiresIn,
    refresh_token: signedIn.refreshToken,
    ...extra,
    user: showUser(signedIn.user),
  };
}

export type TokenResponse = Awaited<ReturnType<typeof sessionResponse>>;

function accessToken({ keys, issuer }: AuthContext, { user, session }: SignedIn, times: { iat: number; exp: number }) {
  const key = keys.signing[0]!;
  return new SignJWT({
    iss: issuer,
    sub: user.id,
    aud: 'authenticated',
    ...times,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    // A database role: never taken from user data.
    role: 'authenticated',
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  })
    .setProtectedHeader({ alg: key.alg, typ: 'JWT', kid: key.kid })
    .sign(key.privateKey);
}

const SCOPES = ['global', 'local', 'others'];

/** `POST /logout?scope=`: ends all sessions and pending flows (`global`), this session (`local`) or the `others`. */
export async function logout(c: AuthRequest) {
  const scope = c.req.query('scope') || 'global';
  if (!SCOPES.includes(scope)) throw errors.invalid(`Unsupported logout scope "${scope.slice(0, 20)}"`);
  const { user, sessionId } = c.var;
  const all = scope === 'global' || !sessionId;
  await c.var.identity.db.transaction(async (tx) => {
    // Lock order: flows before the user, as when exchanging a code.
    if (all) await deleteFlows(tx, user.id);
    // Serializes with a concurrent verification of a second factor, which also ends sessions.
    if (scope !== 'local') await tx.query('select from auth.users where id = $1 for no key update', [user.id]);
    const condition = scope === 'local' && !all ? 'id = $2' : 'id is distinct from $2::uuid';
    await tx.query(`delete from auth.sessions where user_id = $1 and ${condition}`, [user.id, all ? null : sessionId]);
    await record(tx, c, { action: 'logout', reason: scope });
  });
  return c.body(null, 204);
}
