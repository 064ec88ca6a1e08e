import { generateKeyPair, randomBytes } from 'node:crypto';
import { access, constants, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type { Config } from '../config/config.ts';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { readIfPresent, writeDurably } from '../data-dir/durable-file.ts';
import { lockFolder } from '../data-dir/lock-folder.ts';
import { newSigningKey } from './signing-key.ts';

/** A stored signing key. A retired one keeps only its public parts and the time it stopped signing. */
export type StoredKey = JWK & { retiredAt?: string };

export interface ServiceKey {
  name: string;
  key?: string;
  /** ISO 8601; null for keys older than this field. */
  madeAt: string | null;
  endedAt?: string;
}

export interface KeyPlaces {
  file: string;
  /** `signing_keys_path` of the project: a JSON array of private JWKs, used instead of the signing keys in `file`. */
  signingFile: string | null;
  /** `jwt_expiry`: how long a retired key still verifies. */
  tokenSeconds: number;
}

export const keyPlaces = ({ keysFile }: Pick<Config, 'keysFile'>, { folder, auth }: SupabaseProject): KeyPlaces => ({
  file: keysFile,
  signingFile: auth.signing_keys_path ? resolve(folder, auth.signing_keys_path) : null,
  tokenSeconds: auth.jwt_expiry,
});

interface KeyFile {
  publishable: string;
  secret: string;
  secretMadeAt?: string;
  services?: ServiceKey[];
  sealing: string;
  signing: StoredKey[];
  /** Signs SAML requests: PKCS #8, PEM. Created on first use. */
  saml?: string;
}

const REQUIRED_PARTS = ['publishable', 'secret', 'sealing', 'signing'] as const;

export type KeyPart = (typeof REQUIRED_PARTS)[number] | 'saml';

const GENERATE: { [Part in KeyPart]: (file: string) => Promise<NonNullable<KeyFile[Part]>> } = {
  publishable: async () => `sb_publishable_${randomBytes(24).toString('base64url')}`,
  secret: async () => newServiceKey(),
  sealing: async () => randomBytes(32).toString('base64url'),
  signing: async () => [await newSigningKey()],
  saml: async (file) => (await readIfPresent(join(dirname(file), 'saml-key.pem'))) ?? newSamlKey(),
};

export const newServiceKey = () => `sb_secret_${randomBytes(32).toString('base64url')}`;

const LOCK_TIMEOUT_MS = 5_000;
const LOCK_RETRY_MS = 50;

/** Creates the file or its missing parts; concurrent processes use what the first one created. @throws Error */
export const readKeyFile = async (file: string, parts: readonly KeyPart[] = REQUIRED_PARTS): Promise<KeyFile> =>
  (await requireKeyParts(file, parts)) ?? changeKeyFile(file, (stored) => withMissingParts(file, stored, parts));

const missingParts = (stored: Partial<KeyFile>, parts: readonly KeyPart[]) => parts.filter((part) => !stored[part]);

/** @returns null while parts are missing @throws Error when they cannot be created */
export async function requireKeyParts(file: string, parts: readonly KeyPart[]): Promise<KeyFile | null> {
  const stored = await readJson<KeyFile>(file);
  const missing = stored && missingParts(stored, parts);
  if (missing?.length === 0) return stored;
  await requireWritable(file, missing ? `lacks ${missing.join(', ')}` : 'does not exist');
  return null;
}

async function withMissingParts(file: string, stored: Partial<KeyFile>, parts: readonly KeyPart[]): Promise<KeyFile> {
  const generated = missingParts(stored, parts).map(async (part) => [part, await GENERATE[part](file)] as const);
  return { ...stored, ...Object.fromEntries(await Promise.all(generated)) } as KeyFile;
}

/** Changes the key file under a lock. @throws Error for the operator */
export async function changeKeyFile(file: string, change: (stored: KeyFile) => KeyFile | Promise<KeyFile>) {
  await requireWritable(file, 'has to be changed');
  const unlock = await acquireLock(file);
  try {
    const changed = await change((await readJson<KeyFile>(file)) ?? ({} as KeyFile));
    await writeJson(file, changed);
    return changed;
  } finally {
    unlock();
  }
}

async function acquireLock(file: string): Promise<() => void> {
  for (const end = performance.now() + LOCK_TIMEOUT_MS; ; await sleep(LOCK_RETRY_MS)) {
    try {
      return lockFolder(file, `The key file ${file}`);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

export async function readSigningKeys({ file, signingFile }: KeyPlaces): Promise<StoredKey[]> {
  if (!signingFile) return (await readKeyFile(file)).signing;
  const stored = await readJson<unknown>(signingFile);
  if (stored === null)
    throw new Error(
      `auth.signing_keys_path names ${signingFile}, which does not exist. Create it with "npm run keys -- rotate".`,
    );
  if (!Array.isArray(stored) || !stored.every((key) => typeof key === 'object' && key !== null))
    throw new Error(`${signingFile} must be a JSON array of private keys (JWK), the one that signs first.`);
  return stored as StoredKey[];
}

export async function writeSigningKeys({ file, signingFile }: KeyPlaces, signing: StoredKey[]): Promise<void> {
  if (signingFile) await writeJson(signingFile, signing);
  else await changeKeyFile(file, (stored) => ({ ...stored, signing }));
}

async function newSamlKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}

async function readJson<Content>(file: string): Promise<Content | null> {
  try {
    const text = await readIfPresent(file);
    return text === null ? null : (JSON.parse(text) as Content);
  } catch (error) {
    throw new Error(
      `The key file ${file} cannot be read: ${(error as Error).message}. Restore it from your backup; without it all users are signed out.`,
    );
  }
}

async function requireWritable(file: string, why: string): Promise<void> {
  const { W_OK } = constants;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await access(dirname(file), W_OK);
    await access(file, W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  } catch (error) {
    throw new Error(
      `The key file ${file} ${why} and cannot be written (${(error as NodeJS.ErrnoException).code}). Complete it on a writable disk ("npm run keys -- list" creates it, "npm run keys -- saml" adds the SAML key), then copy it here.`,
    );
  }
}

const writeJson = (file: string, content: unknown) => writeDurably(file, JSON.stringify(content, null, 2));
