import type { Keys } from '../../http/keys.ts';
import { decrypt, encrypt } from '../encrypt.ts';

/**
 * Encrypts a TOTP seed, bound to its factor: a row copied to another account is useless there.
 * @param seed base32, as a hosted project stores it
 */
export const sealSeed = (keys: Pick<Keys, 'sealing'>, factorId: string, seed: string): string =>
  encrypt(keys, `${factorId} ${seed}`);

/** Decrypts to base32. @throws Error when sealed with another key, for another factor, or not at all */
export function openSeed(keys: Pick<Keys, 'sealing'>, factorId: string, sealed: string): string {
  const [owner, seed] = decrypt(keys, sealed).split(' ');
  if (owner !== factorId || !seed) throw new Error('This seed belongs to another factor');
  return seed;
}
