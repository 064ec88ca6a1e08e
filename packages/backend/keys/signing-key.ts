import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { databaseTime } from '../database/clock.ts';
import type { StoredKey } from './key-file.ts';

/** Tolerance for clock differences and the delay until all servers read a new key file. */
const GRACE_SECONDS = 90;

export interface VerifyingKey {
  kid: string;
  alg: 'ES256' | 'RS256';
  publicKey: CryptoKey;
  publicJwk: JWK;
  /** Milliseconds since 1970 when its last token has expired; null unless retired. */
  endsAt: number | null;
}

export type SigningKey = VerifyingKey & { privateKey: CryptoKey };

export async function newSigningKey(): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return named({ ...(await exportJWK(privateKey)), alg: 'ES256', key_ops: ['sign', 'verify'] });
}

export const retired = async (key: StoredKey, at: Date): Promise<StoredKey> =>
  key.retiredAt ? key : { ...publicParts(await named(key)), key_ops: ['verify'], retiredAt: at.toISOString() };

export const endOf = ({ retiredAt }: StoredKey, tokenSeconds: number): number | null =>
  retiredAt ? Date.parse(retiredAt) + (tokenSeconds + GRACE_SECONDS) * 1000 : null;

/** Imports stored keys: the first signs, the others verify. @throws Error when no key can sign or one is invalid */
export async function usableKeys(stored: StoredKey[], tokenSeconds: number): Promise<[SigningKey, ...VerifyingKey[]]> {
  const current = stored.filter((key) => (endOf(key, tokenSeconds) ?? Number.POSITIVE_INFINITY) > databaseTime());
  const signer = current.find(canSign);
  if (!signer) throw new Error('No key can sign tokens. Create one with "npm run keys -- rotate".');
  const others = current.filter((key) => key !== signer);
  return [
    { ...(await verifying(signer, tokenSeconds)), privateKey: await imported(signer) },
    ...(await Promise.all(others.map((key) => verifying(key, tokenSeconds)))),
  ];
}

const canSign = (key: StoredKey) =>
  typeof key.d === 'string' && !key.retiredAt && (key.key_ops === undefined || key.key_ops.includes('sign'));

async function verifying(key: StoredKey, tokenSeconds: number): Promise<VerifyingKey> {
  const alg = algorithmOf(key);
  const { kid } = await named(key);
  const { key_ops: _, ...parts } = publicParts(key);
  const publicJwk = { ...parts, kid: kid!, alg, use: 'sig', key_ops: ['verify'] };
  return { kid: kid!, alg, publicKey: await imported(parts), publicJwk, endsAt: endOf(key, tokenSeconds) };
}

function algorithmOf({ kty, crv, alg }: StoredKey): 'ES256' | 'RS256' {
  if (kty === 'EC' && crv === 'P-256' && (alg ?? 'ES256') === 'ES256') return 'ES256';
  if (kty === 'RSA' && (alg ?? 'RS256') === 'RS256') return 'RS256';
  throw new Error(`A signing key is of the kind ${kty} ${alg ?? crv ?? ''}; it must be ES256 or RS256.`);
}

const imported = async ({ retiredAt: _, key_ops: __, use: ___, ...key }: StoredKey) =>
  (await importJWK({ ...key, alg: algorithmOf(key) })) as CryptoKey;

const publicParts = ({ kty, crv, x, y, n, e, alg, kid, key_ops }: StoredKey): JWK =>
  JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, alg, kid, key_ops })) as JWK;

const named = async (key: StoredKey): Promise<StoredKey> => ({
  ...key,
  kid: key.kid ?? (await calculateJwkThumbprint(publicParts(key))),
});
