import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { MIN_PASSPHRASE_LENGTH } from './sealed-keys.ts';

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
