import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { JWK } from 'jose';
import type { Config } from '../../config.ts';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { forceToDisk } from '../data-dir/durable-file.ts';
import { newSigningKey } from './signing-key.ts';

/** A signing key as it is stored. A retired one keeps its public parts only and the moment it stopped signing. */
export type StoredKey = JWK & { retiredAt?: string };

/** Where the keys lie, and for how long a token is good. */
export interface KeyPlaces {
  /** `DATA_DIR/keys.json` */
  file: string;
  /** `signing_keys_path` of the project: a JSON array of private JWKs, used instead of the signing keys in `file`. */
  signingFile: string | null;
  /** `jwt_expiry`: a retired key verifies for so long. */
  tokenSeconds: number;
}

export const keyPlaces = ({ dataDir }: Pick<Config, 'dataDir'>, { folder, auth }: SupabaseProject): KeyPlaces => ({
  file: join(dataDir, 'keys.json'),
  signingFile: auth.signing_keys_path ? resolve(folder, auth.signing_keys_path) : null,
  tokenSeconds: auth.jwt_expiry,
});

interface KeyFile {
  publishable: string;
  secret: string;
  sealing: string;
  signing: StoredKey[];
}

/** The key file, made when there is none. */
export async function readKeyFile(file: string): Promise<KeyFile> {
  const stored = await readJson<KeyFile>(file);
  if (stored) return stored;
  const made: KeyFile = {
    publishable: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secret: `sb_secret_${randomBytes(32).toString('base64url')}`,
    sealing: randomBytes(32).toString('base64url'),
    signing: [await newSigningKey()],
  };
  await replace(file, made);
  return made;
}

/** @throws Error with one line for the operator */
export async function readSigningKeys({ file, signingFile }: KeyPlaces): Promise<StoredKey[]> {
  if (!signingFile) return (await readKeyFile(file)).signing;
  const stored = await readJson<unknown>(signingFile);
  if (stored === null)
    throw new Error(
      `auth.signing_keys_path names ${signingFile}, which does not exist. "npm run keys -- rotate" makes it.`,
    );
  if (!Array.isArray(stored) || !stored.every((key) => typeof key === 'object' && key !== null))
    throw new Error(`${signingFile} must be a JSON array of private keys (JWK), the one that signs first.`);
  return stored as StoredKey[];
}

/** Puts the keys where they were read from, at once or not at all. */
export async function writeSigningKeys({ file, signingFile }: KeyPlaces, signing: StoredKey[]): Promise<void> {
  if (signingFile) await replace(signingFile, signing);
  else await replace(file, { ...(await readKeyFile(file)), signing });
}

async function readJson<Content>(file: string): Promise<Content | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(
      `The key file ${file} cannot be read: ${(error as Error).message}. Restore it from your backup; without it everybody is signed out.`,
    );
  }
}

/** Renamed into place, so whoever reads or is killed meanwhile finds the old file or the new one, never half of one. */
async function replace(file: string, content: unknown): Promise<void> {
  const next = `${file}.${process.pid}.new`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const before = await stat(file).catch(() => null);
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(content, null, 2));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(next, 0o600);
  // An administrator who rotates as root must not lock out the service's own user.
  if (before && process.getuid?.() === 0) await chown(next, before.uid, before.gid);
  await rename(next, file);
  await forceToDisk(dirname(file));
}
