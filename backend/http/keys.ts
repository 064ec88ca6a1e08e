import { createHash, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type KeyPlaces, readKeyFile, readSigningKeys } from './key-file.ts';
import { SERVER_KEY, serviceKeys } from './service-keys.ts';
import { type SigningKey, usableKeys, type VerifyingKey } from './signing-key.ts';

/** Everything that proves who is calling. Kept in one file, `KEYS_FILE`, mode 0600. */
export interface Keys {
  /** `sb_publishable_…`: stands for role anon. */
  publishable: string;
  /** `sb_secret_…`: stands for role service_role. The house's own, which never leaves the server. */
  secret: string;
  /** All keys that stand for it, by name, that one among them. Changes in place when keys are made or ended. */
  services: NamedKey[];
  /** Told the name of a service key when somebody calls with it. */
  used?: (name: string) => void;
  /** The first signs access tokens, the others still verify. Changes in place when the keys are rotated. */
  signing: [SigningKey, ...VerifyingKey[]];
  /** HS256 secret when JWT_SECRET is set. */
  legacy: KeyObject | null;
  /** 256-bit key for what the database must not be able to read or forge (link tokens, signed addresses, TOTP seeds). */
  sealing: Uint8Array;
}

export interface NamedKey {
  name: string;
  key: string;
}

/** The service keys that are good, the house's own first. The one from the environment stands in for that. */
export async function usableServiceKeys(file: string, given: string | null): Promise<[NamedKey, ...NamedKey[]]> {
  const good = (await serviceKeys(file)).flatMap(({ name, key }) => (key === undefined ? [] : [{ name, key }]));
  return good.map((one) => (one.name === SERVER_KEY && given ? { name: SERVER_KEY, key: given } : one)) as [
    NamedKey,
    ...NamedKey[],
  ];
}

/** The name of the service key that a credential is; null when it is none. */
export const serviceKeyIn = ({ services }: Pick<Keys, 'services'>, credential: string): string | null =>
  services.find(({ key }) => sameSecret(credential, key))?.name ?? null;

/** Reads the key file, making it at first start. Values from the environment win. */
export async function loadKeys(
  file: string,
  given: { publishableKey: string | null; secretKey: string | null; jwtSecret: string | null },
  { signingFile = null, tokenSeconds = 3600 }: Partial<Omit<KeyPlaces, 'file'>> = {},
): Promise<Keys> {
  const stored = await readKeyFile(file);
  const services = await usableServiceKeys(file, given.secretKey);
  return {
    publishable: given.publishableKey ?? stored.publishable,
    secret: services[0].key,
    services,
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
