import { createHmac } from 'node:crypto';
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { houseTime } from '../clock.ts';
import type { Role } from '../http/caller.ts';
import type { Keys } from '../http/keys.ts';
import { errors } from './errors.ts';

/** What a signed address is good for. A token of one scope is worth nothing in the other. */
export type Scope = 'download' | 'upload';

const Payload = z.object({
  /** `bucket/path`; only this very object. */
  url: z.string(),
  scope: z.enum(['download', 'upload']),
  transform: z.record(z.string(), z.unknown()).optional(),
  /** Upload: on whose behalf the object is recorded. */
  role: z.enum(['anon', 'authenticated', 'service_role']).optional(),
  owner: z.uuid().nullish(),
  upsert: z.boolean().optional(),
});
export type Signed = z.infer<typeof Payload> & { role?: Role };

// A key of its own, derived: an address given for a year outlives the rotation of the keys that sign people's tokens.
const addressKey = ({ sealing }: Pick<Keys, 'sealing'>) =>
  createHmac('sha256', sealing).update('signed storage address').digest();

/** Signs an address for `seconds` from now. */
export function sign(keys: Keys, payload: Signed, seconds: number): Promise<string> {
  // The role stands under a name of its own, so that this token is never an access token.
  const { role, ...rest } = payload;
  const claims: JWTPayload = { ...rest, ...(role ? { as: role } : {}) };
  const now = Math.floor(houseTime() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience('storage')
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(addressKey(keys));
}

/**
 * What a token says, when it is ours, in time, of this scope and for this object.
 * @throws ExpiredToken, InvalidJWT, InvalidSignature
 */
export async function tokenFor(keys: Keys, token: string | undefined, scope: Scope, url: string): Promise<Signed> {
  if (!token) throw errors.invalidSignature("querystring must have required property 'token'");
  const { as: role, ...claims } = await verified(keys, token);
  const parsed = Payload.safeParse({ ...claims, role });
  if (!parsed.success || parsed.data.scope !== scope || parsed.data.url !== url) throw errors.invalidSignature();
  return parsed.data;
}

async function verified(keys: Keys, token: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, addressKey(keys), {
      algorithms: ['HS256'],
      audience: 'storage',
      currentDate: new Date(houseTime()),
      requiredClaims: ['exp'],
    });
    return payload;
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) throw errors.expiredToken();
    if (error instanceof joseErrors.JWSInvalid || error instanceof joseErrors.JWTInvalid)
      throw errors.invalidJwt('Invalid Compact JWS');
    throw errors.invalidSignature('signature verification failed');
  }
}
