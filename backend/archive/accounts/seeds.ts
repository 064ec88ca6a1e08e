import { randomBytes } from 'node:crypto';
import { openSeed, sealSeed } from '../../auth/factors/totp.ts';
import type { Keys } from '../../http/keys.ts';
import type { Archive } from '../read-file.ts';
import { openText, sealText } from '../sealed-keys.ts';

export interface Seeds {
  /** @throws Error when it was not stored in this form */
  open(factorId: string, kept: string): string;
  seal(factorId: string, seed: string): string;
}

export const sealedSeeds = (keys: Pick<Keys, 'sealing'>): Seeds => ({
  open: (factorId, kept) => openSeed(keys, factorId, kept),
  seal: (factorId, seed) => sealSeed(keys, factorId, seed),
});

export const plainSeeds: Seeds = { open: (_, kept) => kept, seal: (_, seed) => seed };

export interface SeedKey {
  seeds: Seeds;
  sealed: Buffer;
}

export async function newSeedKey(passphrase: string): Promise<SeedKey> {
  const key = randomBytes(32);
  return { seeds: sealedSeeds({ sealing: key }), sealed: await sealText(key.toString('base64url'), passphrase) };
}

/** TOTP seeds as an archive of accounts stores them. @throws WrongPassphrase */
export async function seedsOf(archive: Archive, passphrase: string): Promise<Seeds> {
  const key = await openText((await archive.sealedKeys())!, passphrase);
  return sealedSeeds({ sealing: Buffer.from(key, 'base64url') });
}
