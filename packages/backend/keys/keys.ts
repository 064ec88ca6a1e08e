import { createHash, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type KeyPlaces, readKeyFile, readSigningKeys } from './key-file.ts';
import { SERVER_KEY, serviceKeys } from './service-keys.ts';
import { type SigningKey, usableKeys, type VerifyingKey } from './signing-key.ts';

export interface Keys {
  publishable: string;
  secret: string;
  /** All keys with role service_role, including `secret`. Mutated in place when keys are added or revoked. */
  services: NamedKey[];
  used?: (name: string) => void;
  /** The first signs access tokens, the others only verify. Mutated in place on rotation. */
  signing: [SigningKey, ...VerifyingKey[]];
  legacy: KeyObject | null;
  /** 256-bit key for values the database must not read or forge (link tokens, signed URLs, TOTP seeds). */
  sealing: Uint8Array;
}

export type Sealing = Pick<Keys, 'sealing'>;

export type NamedKey = { name: string; key: string };

export async function usableServiceKeys(file: string, serverKey: string | null): Promise<[NamedKey, ...NamedKey[]]> {
  return (await serviceKeys(file)).flatMap(({ name, key }) =>
    key === undefined ? [] : [{ name, key: (name === SERVER_KEY && serverKey) || key }],
  ) as [NamedKey, ...NamedKey[]];
}

export const serviceKeyIn = ({ services }: Pick<Keys, 'services'>, credential: string): string | null =>
  services.find(({ key }) => sameSecret(credential, key))?.name ?? null;

export async function loadKeys(
  file: string,
  settings: { publishableKey: string | null; secretKey: string | null; jwtSecret: string | null },
  { signingFile = null, tokenSeconds = 3600 }: Partial<Omit<KeyPlaces, 'file'>> = {},
): Promise<Keys> {
  const stored = await readKeyFile(file);
  const services = await usableServiceKeys(file, settings.secretKey);
  return {
    publishable: settings.publishableKey ?? stored.publishable,
    secret: services[0].key,
    services,
    signing: await usableKeys(await readSigningKeys({ file, signingFile, tokenSeconds }), tokenSeconds),
    legacy: settings.jwtSecret ? createSecretKey(Buffer.from(settings.jwtSecret)) : null,
    sealing: Buffer.from(stored.sealing, 'base64url'),
  };
}

/** Constant-time comparison, independent of length. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export type Claims = JWTPayload & { role?: unknown; session_id?: unknown };
