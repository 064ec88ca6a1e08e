import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Sealing } from './keys.ts';

const VERSION = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, tag and ciphertext of AES-256-GCM. */
export function seal(key: Uint8Array, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** @throws Error when the key differs or the bytes were changed */
export function unseal(key: Uint8Array, bytes: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

/** Encrypts values the database must not be able to read, with a key derived from the sealing key. */
export const encrypt = (keys: Sealing, text: string): string =>
  VERSION + seal(keyFrom(keys), text).toString('base64url');

/** @throws Error when the key differs or the value was changed */
export function decrypt(keys: Sealing, sealed: string): string {
  if (!sealed.startsWith(VERSION)) throw new Error('This value was not sealed by this server');
  return unseal(keyFrom(keys), Buffer.from(sealed.slice(VERSION.length), 'base64url'));
}

const derivedKey = ({ sealing }: Sealing, purpose: string) =>
  new Uint8Array(hkdfSync('sha256', sealing, '', purpose, 32));
const keyFrom = (keys: Sealing) => derivedKey(keys, 'sealed values');

/** Derived instead of random, so that the database never holds it and a retry gets the same. */
export const derivedSecret = (keys: Sealing, purpose: string, name: string): Buffer =>
  createHmac('sha256', derivedKey(keys, purpose)).update(name).digest();

/** Public fingerprint of the sealing key: detects a different key without a trial decryption. */
export const sealingId = (keys: Sealing): string =>
  createHash('sha256').update('name of the sealing key').update(keyFrom(keys)).digest('hex').slice(0, 16);
