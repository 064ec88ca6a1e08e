import { decodeProtectedHeader, type JWTVerifyGetKey, errors as joseErrors, jwtVerify } from 'jose';
import { databaseTime } from '../database/clock.ts';
import { type Claims, type Keys, sameSecret, serviceKeyIn } from '../keys/keys.ts';
import { currentRequest } from './current-request.ts';

export type Role = 'anon' | 'authenticated' | 'service_role';

export type Caller = { role: Role; claims: Claims & { role: Role }; userId: string | null; sessionId: string | null };

export type TokenProblem = 'empty' | 'parts' | 'signature' | 'expired' | 'not-yet' | 'audience' | 'claims' | 'role';

/** An invalid credential: refused, never treated as a guest (threat model TM-14). */
export class BadToken extends Error {
  override readonly name = 'BadToken';
  readonly problem: TokenProblem;
  constructor(problem: TokenProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const ROLES = new Set<unknown>(['anon', 'authenticated', 'service_role']);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NIL = '00000000-0000-0000-0000-000000000000';
const SKEW_SECONDS = 30;
const CHECKS = { algorithms: ['ES256', 'RS256', 'HS256'], clockTolerance: SKEW_SECONDS, requiredClaims: ['exp'] };
/** Header parameters with which a forged token selects its own key. */
const FOREIGN_KEYS = ['jwk', 'jku', 'x5u', 'x5c'];

export const isUuid = (text: string): boolean => UUID.test(text);

const NO_USER = { userId: null, sessionId: null };
export const anonymous: Caller = { role: 'anon', claims: { role: 'anon' }, ...NO_USER };
export const service: Caller = { role: 'service_role', claims: { role: 'service_role' }, ...NO_USER };

/**
 * Authenticates by `Authorization: Bearer` and `apikey`; a user's token wins over an API key. @throws BadToken
 * @param issuer `iss` of our own access tokens: `{siteUrl}/auth/v1`
 */
export async function callerOf(headers: Headers, keys: Keys, issuer: string): Promise<Caller> {
  const caller = await provenCaller(headers, keys, issuer);
  // Nested calls of a function or page must not overwrite the role of the original caller.
  const request = currentRequest.getStore();
  if (request) request.role ??= caller.role;
  return caller;
}

export const isService = (...credentials: Parameters<typeof callerOf>): Promise<boolean> =>
  callerOf(...credentials)
    .then(({ role }) => role === 'service_role')
    .catch(() => false);

async function provenCaller(headers: Headers, keys: Keys, issuer: string): Promise<Caller> {
  const authorization = headers.get('authorization');
  const bearer = authorization === null ? null : /^bearer\s*(.*)$/i.exec(authorization)?.[1]?.trim();
  const apikey = headers.get('apikey')?.trim();
  if (bearer === undefined) throw new BadToken('parts', 'Authorization is not a Bearer token');
  if (bearer === '') throw new BadToken('empty', 'Empty JWT is sent in Authorization header');
  const fromBearer = bearer === null ? null : await callerWith(bearer, keys, issuer);
  if (fromBearer && fromBearer.role !== 'anon') return fromBearer;
  const fromKey = apikey ? await callerWith(apikey, keys, issuer) : null;
  // Without a session the client repeats the API key as bearer token.
  if (bearer === null && fromKey) return fromKey;
  return fromBearer ?? anonymous;
}

export const credentialsIn = (headers: Headers): string[] =>
  [headers.get('apikey'), headers.get('authorization')?.replace(/^bearer\s+/i, '')].flatMap(
    (credential) => credential?.trim() || [],
  );

/** Whether the request carries a service key; needs no signature check. */
export const holdsSecretKey = (headers: Headers, keys: Keys): boolean =>
  credentialsIn(headers).some((credential) => serviceKeyIn(keys, credential) !== null);

async function callerWith(credential: string, keys: Keys, issuer: string): Promise<Caller> {
  if (sameSecret(credential, keys.publishable)) return anonymous;
  const key = serviceKeyIn(keys, credential);
  if (key !== null) {
    keys.used?.(key);
    return service;
  }
  return callerFromToken(credential, keys, issuer);
}

async function callerFromToken(token: string, keys: Keys, issuer: string): Promise<Caller> {
  const claims = await verifyToken(token, keys);
  const role = claims.role ?? 'anon';
  if (!ROLES.has(role)) throw new BadToken('role', `role "${String(role)}" does not exist`);
  if (role !== 'authenticated') return { role: role as Role, claims: { ...claims, role: role as Role }, ...NO_USER };
  if (typeof claims.sub !== 'string' || !isUuid(claims.sub) || claims.sub === NIL)
    throw new BadToken('claims', "The JWT 'sub' claim must be a UUID");
  if (claims.iss !== undefined && claims.iss !== issuer && claims.iss !== 'supabase')
    throw new BadToken('claims', 'JWT has another issuer');
  const audience = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (claims.aud !== undefined && !audience.includes('authenticated'))
    throw new BadToken('audience', 'JWT not in audience');
  const { session_id: session } = claims;
  if (session !== undefined && (typeof session !== 'string' || !isUuid(session)))
    throw new BadToken('claims', "The JWT 'session_id' claim must be a UUID");
  const proven = { ...claims, role: 'authenticated' as const };
  return { role: 'authenticated', claims: proven, userId: claims.sub, sessionId: session ?? null };
}

/** Verifies signature and times: key by `kid` and its own algorithm, HS256 only with JWT_SECRET. @throws BadToken */
export async function verifyToken(token: string, keys: Keys): Promise<Claims> {
  const parts = token.split('.').length;
  if (parts !== 3) throw new BadToken('parts', `Expected 3 parts in JWT; got ${parts}`);
  const keyFor: JWTVerifyGetKey = (header) => {
    const { alg, kid } = header;
    if (FOREIGN_KEYS.some((name) => name in header))
      throw new BadToken('signature', 'A token cannot bring its own key');
    if (alg === 'HS256' && keys.legacy && kid === undefined) return keys.legacy;
    const key = keys.signing.find((candidate) => candidate.kid === kid && candidate.alg === alg);
    if (!key) throw new BadToken('signature', 'No suitable key or wrong key type');
    return key.publicKey;
  };
  try {
    decodeProtectedHeader(token);
    const { payload } = await jwtVerify(token, keyFor, { ...CHECKS, currentDate: new Date(databaseTime()) });
    if ((payload.iat ?? 0) > databaseTime() / 1000 + SKEW_SECONDS)
      throw new BadToken('not-yet', 'JWT issued at future');
    return payload;
  } catch (error) {
    throw asBadToken(error);
  }
}

function asBadToken(error: unknown): BadToken {
  if (error instanceof BadToken) return error;
  if (error instanceof joseErrors.JWTExpired) return new BadToken('expired', 'JWT expired');
  if (error instanceof joseErrors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf') return new BadToken('not-yet', 'JWT not yet valid');
    const fault = error.reason === 'missing' ? 'is missing' : 'must be a number';
    return new BadToken('claims', `The JWT '${error.claim}' claim ${fault}`);
  }
  return new BadToken('signature', 'JWSError JWSInvalidSignature');
}
