import type { Keys } from '../../http/keys.ts';
import { decrypt, encrypt } from '../encrypt.ts';

/**
 * What the database keeps of an authenticator app's seed. It opens for its own factor only, so a row that was copied
 * into somebody else's account is worth nothing there.
 * @param seed base32, as a hosted project stores it
 */
export const sealSeed = (keys: Pick<Keys, 'sealing'>, factorId: string, seed: string): string =>
  encrypt(keys, `${factorId} ${seed}`);

/**
 * The seed in base32.
 * @throws Error when it was sealed with another key, for another factor, or not at all
 */
export function openSeed(keys: Pick<Keys, 'sealing'>, factorId: string, sealed: string): string {
  const [owner, seed] = decrypt(keys, sealed).split(' ');
  if (owner !== factorId || !seed) throw new Error('This seed belongs to another factor');
  return seed;
}
