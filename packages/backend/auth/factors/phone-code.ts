import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../http/keys.ts';

export const newCode = (digits: number): string => String(randomInt(10 ** digits)).padStart(digits, '0');

// HMAC, not a plain hash: a million codes are quickly brute-forced, and the sealing key is not in the database.
export const hashOfCode = (keys: Pick<Keys, 'sealing'>, challengeId: string, code: string): string =>
  createHmac('sha256', keys.sealing).update(`factor-code\0${challengeId}\0${code}`).digest('hex');

export function codeMatches(keys: Pick<Keys, 'sealing'>, challengeId: string, code: string, stored: string | null) {
  const [actual, expected] = [hashOfCode(keys, challengeId, code), stored ?? ''].map((text) => Buffer.from(text));
  return actual!.length === expected!.length && timingSafeEqual(actual!, expected!);
}
