import { createHash, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type KeyPlaces, readKeyFile, readSigningKeys } from './key-file.ts';
import { type SigningKey, usableKeys, type VerifyingKey } from './signing-key.ts';

/** Everything that proves who is calling. Kept in one file of DATA_DIR, mode 0600. */
export interface Keys {
  /** `sb_publishable_…`: stands for role anon. */
  publishable: string;
  /** `sb_secret_…`: stands for role service_role. Never leaves the server. */
  secret: string;
  /** The first signs access tokens, the others still verify. Changes in place when the keys are rotated. */
  signing: [SigningKey, ...VerifyingKey[]];
  /** HS256 secret when JWT_SECRET is set. */
  legacy: KeyObject | null;
  /** 256-bit key for what the database must not be able to read or forge (link tokens, signed addresses, TOTP seeds). */
  sealing: Uint8Array;
}

/** Reads the key file, making it at first start. Values from the environment win. */
export async function loadKeys(
  file: string,
  given: { publishableKey: string | null; secretKey: string | null; jwtSecret: string | null },
  { signingFile = null, tokenSeconds = 3600 }: Partial<Omit<KeyPlaces, 'file'>> = {},
): Promise<Keys> {
  const stored = await readKeyFile(file);
  return {
    publishable: given.publishableKey ?? stored.publishable,
    secret: given.secretKey ?? stored.secret,
    signing: await usableKeys(await readSigningKeys({ file, signingFile, tokenSeconds }), tokenSeconds),
    legacy: given.jwtSecret ? createSecretKey(Buffer.from(given.jwtSecret)) : null,
    sealing: Buffer.from(stored.sealing, 'base64url'),
  };
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export type Claims = JWTPayload & { role?: unknown; session_id?: unknown };
