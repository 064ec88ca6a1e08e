import { randomBytes } from 'node:crypto';
import { openSeed, sealSeed } from '../../auth/factors/seed.ts';
import type { Keys } from '../../http/keys.ts';
import type { Archive } from '../read-file.ts';
import { openText, sealText } from '../sealed-keys.ts';

/** How the seeds of authenticator apps are kept somewhere; in between they are base32. */
export interface Seeds {
  /** @throws Error when it was not kept so */
  open(factorId: string, kept: string): string;
  seal(factorId: string, seed: string): string;
}

/** As a house of ours and an archive keep them. */
export const sealedSeeds = (keys: Pick<Keys, 'sealing'>): Seeds => ({
  open: (factorId, kept) => openSeed(keys, factorId, kept),
  seal: (factorId, seed) => sealSeed(keys, factorId, seed),
});

/** As a hosted project keeps them. */
export const plainSeeds: Seeds = { open: (_, kept) => kept, seal: (_, seed) => seed };

/** A key for the seeds of one archive, and the same sealed with the passphrase, to be put in. */
export interface SeedKey {
  seeds: Seeds;
  sealed: Buffer;
}

export async function newSeedKey(passphrase: string): Promise<SeedKey> {
  const key = randomBytes(32);
  return { seeds: sealedSeeds({ sealing: key }), sealed: await sealText(key.toString('base64url'), passphrase) };
}

/** How an archive of accounts keeps seeds. @throws WrongPassphrase */
export async function seedsOf(archive: Archive, passphrase: string): Promise<Seeds> {
  const key = await openText((await archive.sealedKeys())!, passphrase);
  return sealedSeeds({ sealing: Buffer.from(key, 'base64url') });
}
