import { randomBytes } from 'node:crypto';
import { openSeed, sealSeed } from '../../auth/factors/totp.ts';
import type { Keys } from '../../http/keys.ts';
import type { Archive } from '../open-archive.ts';
import { openText, sealText } from '../sealed-keys.ts';

export interface SeedCipher {
  /** @throws Error when it was stored in another form */
  open(factorId: string, stored: string): string;
  seal(factorId: string, seed: string): string;
}

export const sealedSeedCipher = (keys: Pick<Keys, 'sealing'>): SeedCipher => ({
  open: (factorId, stored) => openSeed(keys, factorId, stored),
  seal: (factorId, seed) => sealSeed(keys, factorId, seed),
});

export const plainSeedCipher: SeedCipher = { open: (_, stored) => stored, seal: (_, seed) => seed };

export interface SeedKey {
  seeds: SeedCipher;
  sealed: Buffer;
}

export async function createSeedKey(passphrase: string): Promise<SeedKey> {
  const key = randomBytes(32);
  return { seeds: sealedSeedCipher({ sealing: key }), sealed: await sealText(key.toString('base64url'), passphrase) };
}

/** Opens and seals TOTP seeds as in an archive of accounts. @throws WrongPassphrase */
export async function openSeedCipher(archive: Archive, passphrase: string): Promise<SeedCipher> {
  const key = await openText((await archive.sealedKeys())!, passphrase);
  return sealedSeedCipher({ sealing: Buffer.from(key, 'base64url') });
}
