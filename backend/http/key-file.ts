import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { access, chmod, chown, constants, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type { Config } from '../../config.ts';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { forceToDisk } from '../data-dir/durable-file.ts';
import { lockFolder } from '../data-dir/lock.ts';
import { newSigningKey } from './signing-key.ts';

/** A signing key as it is stored. A retired one keeps its public parts only and the moment it stopped signing. */
export type StoredKey = JWK & { retiredAt?: string };

/** A key that stands for role service_role. One that was ended keeps its name and dates. */
export interface ServiceKey {
  name: string;
  key?: string;
  /** ISO 8601; null: before such dates were kept. */
  madeAt: string | null;
  endedAt?: string;
}

/** Where the keys lie, and for how long a token is good. */
export interface KeyPlaces {
  /** `KEYS_FILE` */
  file: string;
  /** `signing_keys_path` of the project: a JSON array of private JWKs, used instead of the signing keys in `file`. */
  signingFile: string | null;
  /** `jwt_expiry`: a retired key verifies for so long. */
  tokenSeconds: number;
}

export const keyPlaces = ({ keysFile }: Pick<Config, 'keysFile'>, { folder, auth }: SupabaseProject): KeyPlaces => ({
  file: keysFile,
  signingFile: auth.signing_keys_path ? resolve(folder, auth.signing_keys_path) : null,
  tokenSeconds: auth.jwt_expiry,
});

interface KeyFile {
  publishable: string;
  /** The house's own service key, with which its functions call. Called `house` where keys have names. */
  secret: string;
  /** When `secret` was made, when that is not as long ago as the file. */
  secretMadeAt?: string;
  /** Service keys that were made for others, and all that were ended. */
  services?: ServiceKey[];
  sealing: string;
  signing: StoredKey[];
  /** What our requests to companies' identity providers are signed with: PKCS #8, PEM. Made at first use. */
  saml?: string;
}

/** What every house needs from the start. */
const ALWAYS = ['publishable', 'secret', 'sealing', 'signing'] as const;

export type KeyPart = (typeof ALWAYS)[number] | 'saml';

const MAKE: { [Part in KeyPart]: (file: string) => Promise<NonNullable<KeyFile[Part]>> } = {
  publishable: async () => `sb_publishable_${randomBytes(24).toString('base64url')}`,
  secret: async () => newServiceKey(),
  sealing: async () => randomBytes(32).toString('base64url'),
  signing: async () => [await newSigningKey()],
  saml: async (file) => (await earlierSamlKey(file)) ?? (await newSamlKey()),
};

export const newServiceKey = () => `sb_secret_${randomBytes(32).toString('base64url')}`;

const LOCK_MS = 5_000;
const LOCK_LOOK_MS = 50;

/**
 * The key file, made when there is none. What it lacks is added; of several processes that start at once, all use what
 * the first one made.
 * @param parts what has to be in it
 * @throws Error with one line for the operator when it cannot be read, or lacks something and cannot be written
 */
export async function readKeyFile(
  file: string,
  parts: readonly KeyPart[] = ALWAYS,
): Promise<KeyFile & { [Part in KeyPart]?: KeyFile[Part] }> {
  const stored = await readJson<KeyFile>(file);
  if (stored && !lackingIn(stored, parts).length) return stored;
  await mayAdd(file, parts);
  if (stored) return changeKeyFile(file, (now) => filled(file, now, parts));
  await makeOnce(file, await filled(file, {}, parts));
  return readKeyFile(file, parts);
}

const lackingIn = (stored: KeyFile, parts: readonly KeyPart[]) => parts.filter((part) => !stored[part]);

/** @throws Error with one line for the operator when the file lacks one of the parts and cannot be written */
export async function mayAdd(file: string, parts: readonly KeyPart[]): Promise<void> {
  const stored = await readJson<KeyFile>(file);
  const lacking = stored && lackingIn(stored, parts);
  if (lacking?.length !== 0) await requireWritable(file, lacking ? `lacks ${lacking.join(', ')}` : 'does not exist');
}

async function filled(file: string, stored: Partial<KeyFile>, parts: readonly KeyPart[]): Promise<KeyFile> {
  const made = parts.filter((part) => !stored[part]).map(async (part) => [part, await MAKE[part](file)] as const);
  return { ...stored, ...Object.fromEntries(await Promise.all(made)) } as KeyFile;
}

/**
 * Changes what the key file holds. Two who change it do so one after the other.
 * @throws Error with one line for the operator
 */
export async function changeKeyFile(
  file: string,
  change: (stored: KeyFile) => KeyFile | Promise<KeyFile>,
): Promise<KeyFile> {
  await requireWritable(file, 'has to be changed');
  const unlock = await lock(file);
  try {
    const changed = await change((await readJson<KeyFile>(file)) ?? ({} as KeyFile));
    await replace(file, changed);
    return changed;
  } finally {
    unlock();
  }
}

async function lock(file: string): Promise<() => void> {
  for (const end = performance.now() + LOCK_MS; ; await sleep(LOCK_LOOK_MS)) {
    try {
      return lockFolder(file, `The key file ${file}`);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

/** @throws Error with one line for the operator */
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

/** Puts the keys where they were read from, at once or not at all. */
export async function writeSigningKeys({ file, signingFile }: KeyPlaces, signing: StoredKey[]): Promise<void> {
  if (signingFile) await replace(signingFile, signing);
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

/** Earlier releases kept that one in a file of its own beside the others. */
const earlierSamlKey = (file: string): Promise<string | null> => contents(join(dirname(file), 'saml-key.pem'));

async function contents(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readJson<Content>(file: string): Promise<Content | null> {
  try {
    const text = await contents(file);
    return text === null ? null : (JSON.parse(text) as Content);
  } catch (error) {
    throw new Error(
      `The key file ${file} cannot be read: ${(error as Error).message}. Restore it from your backup; without it all users are signed out.`,
    );
  }
}

/** @param why what is the matter with the file, for the sentence */
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

/** Unlike a rename, a link never replaces: of several processes that make a file, all use the first one's. */
async function makeOnce(file: string, content: unknown): Promise<void> {
  const next = await writeBeside(file, content);
  try {
    await link(next, file);
    await forceToDisk(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(next, { force: true });
  }
}

/** Renamed into place, so whoever reads or is killed meanwhile finds the old file or the new one, never half of one. */
async function replace(file: string, content: unknown): Promise<void> {
  const before = await stat(file).catch(() => null);
  const next = await writeBeside(file, content);
  // An administrator who rotates as root must not lock out the service's own user.
  if (before && process.getuid?.() === 0) await chown(next, before.uid, before.gid);
  await rename(next, file);
  await forceToDisk(dirname(file));
}

async function writeBeside(file: string, content: unknown): Promise<string> {
  const next = `${file}.${randomUUID()}.new`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(content, null, 2));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(next, 0o600);
  return next;
}
