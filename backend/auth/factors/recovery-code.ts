import { createHmac, randomInt } from 'node:crypto';
import type { Keys } from '../../http/keys.ts';

/** Crockford-style alphabet without ambiguous characters; look-alikes are mapped when read. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1', u: 'v' };
const LENGTH = 16;

export const RECOVERY_CODES = 10;

export const newRecoveryCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export const recoveryCodeIn = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[oilu]/g, (letter) => LOOKALIKES[letter]!);

// Bound to the user and to a key that is not in the database.
export const hashOfRecoveryCode = (keys: Pick<Keys, 'sealing'>, userId: string, code: string): string =>
  createHmac('sha256', keys.sealing).update(`recovery-code\0${userId}\0${code}`).digest('hex');
