import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { readIfPresent } from '../data-dir/durable-file.ts';
import { seal, unseal } from '../keys/encrypt.ts';

/** Key files that authenticate callers, or open what is sealed in the database. */
export const KEY_FILES = ['keys.json', 'saml-key.pem', 'saml-certificate.pem'] as const;

export type KeyFiles = Partial<Record<(typeof KEY_FILES)[number], string>>;

const scryptAsync: (...args: [string, Buffer, number, ScryptOptions]) => Promise<Buffer> = promisify(scrypt);
const SALT_BYTES = 16;
// Half a second and 128 MB for each guess at the passphrase.
const SCRYPT_COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const MIN_PASSPHRASE_LENGTH = 12;

const KeyFileContents = z.partialRecord(z.enum(KEY_FILES), z.string());

export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
  constructor() {
    super('Wrong passphrase for the keys in the archive.');
  }
}

export const keyFilePath = ({ keysFile }: Pick<Config, 'keysFile'>, name: string): string =>
  name === 'keys.json' ? keysFile : join(dirname(keysFile), name);

export async function readKeyFiles(config: Pick<Config, 'dataDir' | 'keysFile'>): Promise<KeyFiles> {
  const files: KeyFiles = {};
  for (const name of KEY_FILES) {
    const text = await readIfPresent(keyFilePath(config, name));
    if (text !== null) files[name] = text;
  }
  return files;
}

export const sealKeys = (files: KeyFiles, passphrase: string): Promise<Buffer> =>
  sealText(JSON.stringify(files), passphrase);

/** @throws WrongPassphrase */
export async function openKeys(sealed: Buffer, passphrase: string): Promise<KeyFiles> {
  const files = KeyFileContents.safeParse(JSON.parse(await openText(sealed, passphrase)));
  if (!files.success) throw new WrongPassphrase();
  return files.data;
}

/** Salt, then what `seal` returns, with a key from scrypt. */
export async function sealText(text: string, passphrase: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, seal(await deriveKey(passphrase, salt), text)]);
}

/** @throws WrongPassphrase */
export async function openText(sealed: Buffer, passphrase: string): Promise<string> {
  try {
    return unseal(await deriveKey(passphrase, sealed.subarray(0, SALT_BYTES)), sealed.subarray(SALT_BYTES));
  } catch {
    throw new WrongPassphrase();
  }
}

const deriveKey = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  scryptAsync(passphrase.normalize('NFKC'), salt, 32, SCRYPT_COST);

/** @param file its first line; null: prompt at the terminal @throws Error with a message for the operator */
export const readPassphrase = (file: string | null, question: string): Promise<string> =>
  file ? readFirstLine(file) : prompt(question);

/** Prompts twice. @throws Error with a message for the operator */
export async function newPassphrase(file: string | null): Promise<string> {
  const passphrase = await readPassphrase(file, 'A passphrase to seal the keys with: ');
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new Error(`The passphrase must have at least ${MIN_PASSPHRASE_LENGTH} characters.`);
  if (!file && (await prompt('Once more: ')) !== passphrase) throw new Error('The two passphrases differ.');
  return passphrase;
}

export async function readFirstLine(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${error.code}.`);
  });
  return text.split(/\r?\n/)[0]!;
}

async function prompt(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(
      'There is no terminal to enter a passphrase: use --passphrase-file FILE, or --without-keys when loading.',
    );
  process.stdout.write(question);
  const discardedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: discardedOutput, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stdout.write('\n');
  }
}
