import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Config } from '../../config.ts';
import { ownBackendConfig, requireFirstStart } from '../config/own-config.ts';
import { readProject } from '../config/supabase-config.ts';
import { keyPlaces } from '../http/key-file.ts';
import { createLog } from '../http/log.ts';
import { loadArchive } from './load.ts';
import { makeArchive } from './make.ts';
import { type Manifest, titleOf } from './manifest.ts';
import { type Archive, openArchive } from './read-file.ts';
import { type KeyFiles, openKeys, readKeyFiles, SHORTEST_PASSPHRASE, sealKeys } from './sealed-keys.ts';
import { withSource } from './source.ts';
import { inTheWay } from './write-file.ts';

/**
 * `npm run archive -- make FILE [--keys]`: everything of the house, while it serves, in one verified file.
 * `npm run archive -- check FILE`: whether it is whole, and what is inside.
 * `npm run archive -- load FILE`: a house out of it, where there is none.
 */

const USE = `Use: npm run archive -- make FILE [--keys] [--passphrase-file FILE]
     npm run archive -- check FILE
     npm run archive -- load FILE [--passphrase-file FILE | --without-keys]`;
const OPTIONS: Record<string, readonly string[]> = {
  make: ['--keys', '--passphrase-file'],
  check: [],
  load: ['--passphrase-file', '--without-keys'],
};

interface Asked {
  path: string;
  keys: boolean;
  withoutKeys: boolean;
  passphraseFile: string | null;
}

const MOST_SHOWN = 20;
const log = createLog('error');
const [command = '', ...given] = process.argv.slice(2);
try {
  const asked = read(given);
  await { make, check, load }[command]!(asked);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'ENOSPC' ? 'There is no space left on the disk. Nothing half was left behind.' : message);
  process.exit(1);
}

function read(words: string[]): Asked {
  const known = OPTIONS[command];
  const rest: string[] = [];
  const asked: Asked = { path: '', keys: false, withoutKeys: false, passphraseFile: null };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith('-')) rest.push(word);
    else if (!known?.includes(word)) throw new Error(USE);
    else if (word === '--keys') asked.keys = true;
    else if (word === '--without-keys') asked.withoutKeys = true;
    else asked.passphraseFile = resolve(words[++at] ?? '');
  }
  if (!known || rest.length !== 1) throw new Error(USE);
  if (command === 'make' && asked.passphraseFile && !asked.keys) throw new Error(USE);
  return { ...asked, path: resolve(rest[0]!) };
}

async function make({ path, keys, passphraseFile }: Asked): Promise<void> {
  const house = await ownBackendConfig();
  requireFirstStart(house);
  if (await stat(path).catch(() => null)) throw inTheWay(path);
  const sealed = keys ? await sealKeys(await readKeyFiles(house.dataDir), await newPassphrase(passphraseFile)) : null;
  const wishes = { version: await productVersion(), keys: sealed, keepFree: await keepFree(path, house) };
  const manifest = await withSource(house, log, (source, served) => {
    console.log(served ? 'Reading the running house; it goes on meanwhile …' : 'No server runs; reading the house …');
    return makeArchive(source, path, wishes);
  });
  console.log(`Wrote ${path}, read it back and found it whole. Only you can read it.`);
  tell(manifest);
  const { signingFile } = keyPlaces(house, await readProject(house.backend.supabaseDir));
  if (keys && signingFile)
    console.log(`The keys that sign tokens are not inside: keep a copy of ${signingFile} yourself.`);
}

async function check({ path }: Asked): Promise<void> {
  const archive = await openArchive(path);
  await archive.close();
  console.log(`${path} is whole: every row, every object and every checksum is as it was written.`);
  tell(archive.manifest);
}

async function load({ path, withoutKeys, passphraseFile }: Asked): Promise<void> {
  const house = await ownBackendConfig();
  const archive = await openArchive(path);
  try {
    const keys = withoutKeys ? null : await keysOf(archive, passphraseFile);
    const { manifest } = archive;
    await loadArchive(archive, keys, house, log);
    for (const table of manifest.tables)
      if (table.rows) console.log(`${titleOf(table).padEnd(34)} ${numbered(table.rows, 'row')}, the same`);
    console.log(
      `Compared ${manifest.tables.length} tables (${numbered(rowsOf(manifest), 'row')}), ${numbered(manifest.sequences.length, 'sequence')} and ${numbered(manifest.objects.count, 'object')} with the archive: all are the same.`,
    );
    tellMissing(manifest);
    console.log(
      keys
        ? `The keys are in place: sessions, second factors and links go on as they were.`
        : `No keys were loaded; the first start makes new ones. People have to sign in again. Authenticator apps, recovery codes and links in mails that were sent do not work any more: whoever has a second factor needs it taken off with the service key first.`,
    );
    console.log(`The house is in ${house.dataDir}. Start it with npm start.`);
  } finally {
    await archive.close();
  }
}

function tell(manifest: Manifest): void {
  const { version, engine, madeAt, migrations, tables, objects, keys } = manifest;
  const where = engine === 'pglite' ? 'the embedded database' : 'a PostgreSQL server';
  console.log(
    `Made ${madeAt} by version ${version} from ${where}, at migration ${migrations.at(-1)?.version ?? 'none'}.\n` +
      `Inside: ${numbered(tables.length, 'table')} with ${numbered(rowsOf(manifest), 'row')}, ${numbered(objects.count, 'object')} of ${Math.ceil(objects.bytes / 1024 ** 2)} MB, ${keys ? 'keys, sealed with the passphrase' : 'no keys'}.`,
  );
  tellMissing(manifest);
}

function tellMissing({ missing }: Manifest): void {
  if (!missing.length) return;
  console.log(`${numbered(missing.length, 'object')} had no bytes in the house already, so there are none inside:`);
  for (const title of missing.slice(0, MOST_SHOWN)) console.log(`  ${title}`);
  if (missing.length > MOST_SHOWN) console.log(`  and ${missing.length - MOST_SHOWN} more`);
}

async function keysOf(archive: Archive, passphraseFile: string | null): Promise<KeyFiles | null> {
  const sealed = await archive.sealedKeys();
  if (!sealed) {
    if (passphraseFile) throw new Error('There are no keys in this archive, so it needs no passphrase.');
    return null;
  }
  return openKeys(sealed, passphraseFile ? await firstLineOf(passphraseFile) : await ask('Passphrase of the keys: '));
}

async function newPassphrase(file: string | null): Promise<string> {
  const passphrase = file ? await firstLineOf(file) : await ask('A passphrase to seal the keys with: ');
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new Error(`The passphrase must have at least ${SHORTEST_PASSPHRASE} characters.`);
  if (!file && (await ask('Once more: ')) !== passphrase) throw new Error('These were two different passphrases.');
  return passphrase;
}

async function firstLineOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${error.code}.`);
  });
  return text.split(/\r?\n/)[0]!;
}

/** Asks at the terminal, without showing what is typed. */
async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(
      'Nobody can be asked for the passphrase here: give --passphrase-file FILE, or --without-keys to load.',
    );
  process.stdout.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stdout.write('\n');
  }
}

/** A house whose disk is full takes no uploads, so an archive beside it leaves as much free as those do. */
async function keepFree(
  path: string,
  { dataDir, diskReserve }: Pick<Config, 'dataDir' | 'diskReserve'>,
): Promise<number> {
  const [beside, house] = await Promise.all([stat(dirname(path)), stat(dataDir)]).catch((error) => {
    throw new Error(`${dirname(path)} cannot be written to: ${(error as NodeJS.ErrnoException).code}.`);
  });
  return beside.dev === house.dev ? diskReserve : 0;
}

function rowsOf({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

function numbered(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

async function productVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
