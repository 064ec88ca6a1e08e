import type { MiddlewareHandler } from 'hono';
import { decodeProtectedHeader } from 'jose';
import { findRow } from '../../database/database.ts';
import { BadToken, callerOf, isUuid, verifyToken } from '../../http/caller.ts';
import { type Claims, type Keys, sameSecret, serviceKeyIn } from '../../keys/keys.ts';
import type { AuthRequest, Env } from '../context.ts';
import { errors } from '../errors.ts';
import { USER_COLUMNS, type UserRow } from '../users/user.ts';

export const signedIn: MiddlewareHandler<Env> = async (c, next) => {
  const claims = await claimsOf(c);
  if (claims.sub === undefined || claims.sub === '') throw errors.missingSubject();
  if (!isUuid(claims.sub)) throw errors.badSubject();
  const user = await userWithSession(c, claims.sub, claims.session_id);
  if (!user || user.deleted_at) throw errors.userOfTokenGone();
  if (user.is_banned) {
    c.set('refusedId', user.id);
    throw errors.banned(403);
  }
  c.set('user', user);
  if (claims.session_id !== undefined && !user.session_id) throw errors.sessionOfTokenGone();
  c.set('sessionId', user.session_id);
  c.set('signedInAt', user.session_created_at?.getTime() ?? 0);
  c.set('aal', user.session_aal ?? 'aal1');
  await next();
};

/** Requires the service key; claims of a user token never suffice. */
export const serviceOnly: MiddlewareHandler<Env> = async (c, next) => {
  const { keys, issuer } = c.var.identity;
  const authorization = c.req.header('authorization');
  if (authorization ? !/^bearer\s+\S/i.test(authorization) : !c.req.header('apikey')) throw errors.noAuthorization();
  const caller = await callerOf(c.req.raw.headers, keys, issuer).catch((problem: unknown) => refuse(problem));
  if (caller.role !== 'service_role') {
    c.set('refusedId', caller.userId);
    throw errors.notAdmin();
  }
  c.set('isService', true);
  const { session_id: session, sub } = caller.claims;
  if (session === undefined) return next();
  const user = typeof sub === 'string' && isUuid(sub) ? await userWithSession(c, sub, session) : null;
  if (!user?.session_id) throw errors.sessionOfTokenGone();
  await next();
};

async function claimsOf(c: AuthRequest): Promise<Claims> {
  const { keys, issuer } = c.var.identity;
  const token = /^bearer\s+(\S+)$/i.exec(c.req.header('authorization')?.trim() ?? '')?.[1];
  if (!token) throw errors.noAuthorization();
  // An API key is a valid credential but has no user.
  if (sameSecret(token, keys.publishable) || serviceKeyIn(keys, token) !== null) throw errors.missingSubject();
  const claims = await verifyToken(token, keys).catch((problem: unknown) => refuse(problem, missingKey(token, keys)));
  if (claims.sub === undefined) throw errors.missingSubject();
  const audience = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (claims.role !== 'authenticated' || !audience.includes('authenticated') || claims.iss !== issuer)
    throw errors.badJwt('token is not for this service');
  return claims;
}

function refuse(problem: unknown, detail: string | null = null): never {
  throw problem instanceof BadToken ? errors.badJwt(detail ?? problem.message) : problem;
}

/** The browser library calls us when its key set lacks the token's key, and shows this message. */
function missingKey(token: string, { signing }: Keys): string | null {
  try {
    const kid = decodeProtectedHeader(token).kid ?? null;
    if (kid === null || signing.some((key) => key.kid === kid)) return null;
  } catch {
    return null;
  }
  return signing.length ? 'No matching signing key found in JWKS' : 'JWKS is empty';
}

interface UserWithSession extends UserRow {
  /** Null when the session ended or belongs to another user. */
  session_id: string | null;
  session_created_at: Date | null;
  session_aal: 'aal1' | 'aal2' | null;
}

function userWithSession(c: AuthRequest, userId: string, sessionId: unknown) {
  const id = typeof sessionId === 'string' && isUuid(sessionId) ? sessionId : null;
  const text = `select ${USER_COLUMNS}, s.id as session_id, s.created_at as session_created_at, s.aal as session_aal
     from auth.users u left join auth.sessions s
       on s.id = $2 and s.user_id = u.id and (s.not_after is null or s.not_after > now())
     where u.id = $1`;
  return findRow<UserWithSession>(c.var.identity.db, text, [userId, id]);
}
