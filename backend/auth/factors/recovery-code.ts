import { createHmac, randomInt } from 'node:crypto';
import type { Keys } from '../../http/keys.ts';

/** Letters and digits that are not mistaken for each other; four are read as the one they look like. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1', u: 'v' };
const LENGTH = 16;

export const RECOVERY_CODES = 10;

/** Eighty random bits, as people write them down. */
export const newRecoveryCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** The code that was meant, however it was typed: capitals, spaces and dashes do not count. */
export const recoveryCodeIn = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[oilu]/g, (letter) => LOOKALIKES[letter]!);

// Bound to its person, and to a key that is not in the database.
export const hashOfRecoveryCode = (keys: Pick<Keys, 'sealing'>, userId: string, code: string): string =>
  createHmac('sha256', keys.sealing).update(`recovery-code\0${userId}\0${code}`).digest('hex');
