import { createHmac } from 'node:crypto';
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { databaseTime } from '../database/clock.ts';
import type { Keys, Sealing } from '../keys/keys.ts';
import { errors } from './errors.ts';

const Payload = z.object({
  url: z.string(),
  /** A token of one scope is invalid in the other. */
  scope: z.enum(['download', 'upload']),
  transform: z.record(z.string(), z.unknown()).optional(),
  /** Upload: the role to record the object as, and its assurance level. */
  role: z.enum(['anon', 'authenticated', 'service_role']).optional(),
  aal: z.unknown().optional(),
  owner: z.guid().nullish(),
  upsert: z.boolean().optional(),
});
export type TokenPayload = z.infer<typeof Payload>;

// A derived key: a URL signed for a year survives the rotation of the keys that sign access tokens.
const urlSigningKey = ({ sealing }: Sealing) => createHmac('sha256', sealing).update('signed storage address').digest();

export function signToken(keys: Keys, payload: TokenPayload, lifetimeSeconds: number): Promise<string> {
  // A claim other than `role`, so that this token is never accepted as an access token.
  const { role: as, ...claims } = payload;
  const now = Math.floor(databaseTime() / 1000);
  return new SignJWT({ ...claims, as })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience('storage')
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(urlSigningKey(keys));
}

/** Verifies signature, expiry, scope and object of a token. @throws ExpiredToken, InvalidJWT, InvalidSignature */
export async function verifyToken(keys: Keys, token: string | undefined, scope: TokenPayload['scope'], url: string) {
  if (!token) throw errors.invalidSignature("querystring must have required property 'token'");
  const { as: role, ...claims } = await verifyJwt(keys, token);
  const parsed = Payload.safeParse({ ...claims, role });
  if (!parsed.success || parsed.data.scope !== scope || parsed.data.url !== url) throw errors.invalidSignature();
  return parsed.data;
}

async function verifyJwt(keys: Keys, token: string): Promise<JWTPayload> {
  try {
    const checks = { algorithms: ['HS256'], audience: 'storage', requiredClaims: ['exp'] };
    const options = { ...checks, currentDate: new Date(databaseTime()) };
    return (await jwtVerify(token, urlSigningKey(keys), options)).payload;
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) throw errors.expiredToken();
    if (error instanceof joseErrors.JWSInvalid || error instanceof joseErrors.JWTInvalid)
      throw errors.invalidJwt('Invalid Compact JWS');
    throw errors.invalidSignature('signature verification failed');
  }
}
