import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { renderSVG } from 'uqr';
import { databaseTime } from '../../database/clock.ts';
import { decrypt, encrypt } from '../../keys/encrypt.ts';
import type { Sealing } from '../../keys/keys.ts';

// RFC 6238 and 4226 with the defaults of every authenticator app: SHA-1, 6 digits, 30 seconds.
const DIGITS = 6;
const PERIOD_MS = 30_000;
const SEED_BYTES = 20;
/** Tolerates one step of clock skew either way. */
const SKEW_STEPS = [0, -1, 1];
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const createSeed = (): string => toBase32(randomBytes(SEED_BYTES));

export function uriOf(seed: string, { issuer, account }: { issuer: string; account: string }): string {
  const [label, name] = [issuer, account].map(encodeURIComponent);
  return `otpauth://totp/${label}:${name}?issuer=${label}&secret=${seed}&algorithm=SHA1&digits=${DIGITS}&period=${PERIOD_MS / 1000}`;
}

/** QR code as bare `<svg>` without `#` or `%`, because the browser library puts it into a data URL unescaped. */
export const qrCode = (uri: string): string => renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 4 });

/** Null when the code is wrong or expired. */
export function stepOf(seed: string, code: string): number | null {
  const now = Math.floor(databaseTime() / PERIOD_MS);
  const entered = Buffer.from(code);
  const matchesStep = (step: number) =>
    entered.length === DIGITS && timingSafeEqual(entered, Buffer.from(codeOf(seed, step)));
  return SKEW_STEPS.map((skew) => now + skew).find(matchesStep) ?? null;
}

/** @param step number of 30-second periods since 1970 */
export function codeOf(seed: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(seed)).update(counter).digest();
  const at = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(at) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => BASE32[Number.parseInt(five, 2)]!);
}

function fromBase32(text: string): Buffer {
  const bits = [...text.toUpperCase().replace(/=+$/, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2)));
}

/** Encrypts a base32 seed, bound to its factor: a row copied to another account is useless there. */
export const sealSeed = (keys: Sealing, factorId: string, seed: string): string => encrypt(keys, `${factorId} ${seed}`);

/** Decrypts to base32. @throws Error when sealed with another key, for another factor, or not at all */
export function openSeed(keys: Sealing, factorId: string, sealed: string): string {
  const [owner, seed] = decrypt(keys, sealed).split(' ');
  if (owner !== factorId || !seed) throw new Error('This seed belongs to another factor');
  return seed;
}
