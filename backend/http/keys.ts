import { createHash, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload } from 'jose';

/** A key that signs or once signed access tokens. */
export interface SigningKey {
  kid: string;
  alg: 'ES256';
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** Public parts only, as served in the key set. */
  publicJwk: JWK;
}

/** Everything that proves who is calling. Kept in one file of DATA_DIR, mode 0600. */
export interface Keys {
  /** `sb_publishable_…`: stands for role anon. */
  publishable: string;
  /** `sb_secret_…`: stands for role service_role. Never leaves the server. */
  secret: string;
  /** First key signs; the others still verify. */
  signing: SigningKey[];
  /** HS256 secret when JWT_SECRET is set. */
  legacy: KeyObject | null;
  /** 256-bit key for what the database must not be able to read or forge (link tokens, signed addresses, TOTP seeds). */
  sealing: Uint8Array;
}

interface KeyFile {
  publishable: string;
  secret: string;
  sealing: string;
  signing: JWK[];
}

/** Reads the key file, making it at first start. Values from the environment win. */
export async function loadKeys(
  file: string,
  given: { publishableKey: string | null; secretKey: string | null; jwtSecret: string | null },
): Promise<Keys> {
  const stored = (await readKeyFile(file)) ?? (await makeKeyFile(file));
  return {
    publishable: given.publishableKey ?? stored.publishable,
    secret: given.secretKey ?? stored.secret,
    signing: await Promise.all(stored.signing.map(signingKey)),
    legacy: given.jwtSecret ? createSecretKey(Buffer.from(given.jwtSecret)) : null,
    sealing: Buffer.from(stored.sealing, 'base64url'),
  };
}

async function readKeyFile(file: string): Promise<KeyFile | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as KeyFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(
      `The key file ${file} cannot be read: ${(error as Error).message}. Restore it from your backup; without it everybody is signed out.`,
    );
  }
}

async function makeKeyFile(file: string): Promise<KeyFile> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys: KeyFile = {
    publishable: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secret: `sb_secret_${randomBytes(32).toString('base64url')}`,
    sealing: randomBytes(32).toString('base64url'),
    signing: [await exportJWK(privateKey)],
  };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Renamed into place, so a start that is killed here leaves no half file.
  await writeFile(`${file}.new`, JSON.stringify(keys, null, 2), { mode: 0o600, flush: true });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
  return keys;
}

async function signingKey(jwk: JWK): Promise<SigningKey> {
  const { d: _, ...publicParts } = jwk;
  const kid = await calculateJwkThumbprint(publicParts);
  const publicJwk = { ...publicParts, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] };
  return {
    kid,
    alg: 'ES256',
    privateKey: (await importJWK({ ...jwk, alg: 'ES256' })) as CryptoKey,
    publicKey: (await importJWK({ ...publicParts, alg: 'ES256' })) as CryptoKey,
    publicJwk,
  };
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export type Claims = JWTPayload & { role?: unknown; session_id?: unknown };
