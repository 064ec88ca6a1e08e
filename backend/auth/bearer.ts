import type { Context, MiddlewareHandler } from 'hono';
import { decodeProtectedHeader } from 'jose';
import { BadToken, callerOf, verifyToken } from '../http/caller.ts';
import { type Claims, type Keys, sameSecret } from '../http/keys.ts';
import { errors } from './errors.ts';
import type { Env } from './identity.ts';
import { findUser } from './user.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string) => UUID.test(text);

/** Lets a person through whose token, session and account all still stand; sets `user`, `sessionId`, `signedInAt`. */
export const signedIn: MiddlewareHandler<Env> = async (c, next) => {
  const claims = await claimsOf(c);
  if (claims.sub === undefined || claims.sub === '') throw errors.missingSubject();
  if (!isUuid(claims.sub)) throw errors.badSubject();
  const { db } = c.var.identity;
  const user = await findUser(db, claims.sub);
  if (!user || user.deleted_at) throw errors.userOfTokenGone();
  if (user.is_banned) throw errors.banned(403);
  c.set('user', user);
  c.set('sessionId', null);
  c.set('signedInAt', 0);
  if (claims.session_id !== undefined) {
    const session = await sessionOf(c, claims.session_id, user.id);
    c.set('sessionId', session.id);
    c.set('signedInAt', session.created_at.getTime());
  }
  await next();
};

/** Lets holders of the service key through, and nobody else whatever their claims say. */
export const serviceOnly: MiddlewareHandler<Env> = async (c, next) => {
  const { keys, issuer } = c.var.identity;
  if (!c.req.header('authorization') && !c.req.header('apikey')) throw errors.noAuthorization();
  const caller = await callerOf(c.req.raw.headers, keys, issuer).catch((problem: unknown) => refuse(problem));
  if (caller.role !== 'service_role') throw errors.notAdmin();
  if (caller.claims.session_id !== undefined) await sessionOf(c, caller.claims.session_id, caller.claims.sub);
  await next();
};

async function claimsOf(c: Context<Env>): Promise<Claims> {
  const { keys, issuer } = c.var.identity;
  const token = /^bearer\s+(\S+)$/i.exec(c.req.header('authorization')?.trim() ?? '')?.[1];
  if (!token) throw errors.noAuthorization();
  // An API key is a valid credential, but it is nobody.
  if (sameSecret(token, keys.publishable) || sameSecret(token, keys.secret)) throw errors.missingSubject();
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

/** The browser library asks us when its key set has no key for a token, and shows what we say. */
function missingKey(token: string, { signing }: Keys): string | null {
  const kid = kidOf(token);
  if (kid === null || signing.some((key) => key.kid === kid)) return null;
  return signing.length ? 'No matching signing key found in JWKS' : 'JWKS is empty';
}

function kidOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null;
  } catch {
    return null;
  }
}

async function sessionOf(c: Context<Env>, id: unknown, userId: unknown): Promise<{ id: string; created_at: Date }> {
  if (typeof id !== 'string' || !isUuid(id) || typeof userId !== 'string') throw errors.sessionOfTokenGone();
  const { rows } = await c.var.identity.db.query<{ id: string; created_at: Date }>(
    `select id, created_at from auth.sessions
     where id = $1 and user_id = $2 and (not_after is null or not_after > now())`,
    [id, userId],
  );
  if (!rows[0]) throw errors.sessionOfTokenGone();
  return rows[0];
}
