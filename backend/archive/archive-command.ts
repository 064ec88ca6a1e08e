import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownBackendConfig, requireFirstStart } from '../config/own-config.ts';
import { readProject } from '../config/supabase-config.ts';
import { keyPlaces } from '../http/key-file.ts';
import { createLog } from '../http/log.ts';
import { ownSeeds, withAccounts } from './accounts/accounts-database.ts';
import { AccountsRefused, loadAccounts } from './accounts/load-accounts.ts';
import { makeAccounts } from './accounts/make-accounts.ts';
import { newSeedKey, seedsOf } from './accounts/seeds.ts';
import { FAILED } from './archive-checks.ts';
import { loadArchive, requireLoadable } from './load-archive.ts';
import { makeArchive, sendArchive } from './make-archive.ts';
import { titleOf } from './manifest.ts';
import { type Archive, DamagedArchive, openArchive } from './open-archive.ts';
import { newPassphrase, passphraseFrom } from './passphrase.ts';
import { list, numbered, rowsOf, tell, tellMissing } from './print-manifest.ts';
import { type KeyFiles, openKeys, readKeyFiles, sealKeys } from './sealed-keys.ts';
import { rememberCheck, withSource } from './with-source.ts';
import { inTheWay } from './write-new-file.ts';

/** `load` creates an installation from an archive, except that an archive of accounts goes into an existing one. */

const USE = `Usage: npm run archive -- make FILE [--keys] [--passphrase-file FILE]
       npm run archive -- make FILE --take-away
       npm run archive -- make FILE --only accounts [--passphrase-file FILE] [--database-url-file FILE]
       npm run archive -- check FILE
       npm run archive -- load FILE [--passphrase-file FILE | --without-keys]
       npm run archive -- load FILE (of accounts) [--passphrase-file FILE] [--database-url-file FILE] [--dry-run] [--leave-out-factors]`;
const WITH_WORD = ['--only', '--passphrase-file', '--database-url-file'];
const OPTIONS: Record<string, readonly string[]> = {
  make: ['--keys', '--take-away', ...WITH_WORD],
  check: [],
  load: ['--without-keys', '--passphrase-file', '--database-url-file', '--dry-run', '--leave-out-factors'],
};
const OF_ACCOUNTS = ['--database-url-file', '--dry-run', '--leave-out-factors'];

type House = Awaited<ReturnType<typeof ownBackendConfig>>;

interface Asked {
  path: string | null;
  has(option: string): boolean;
  file(option: string): string | null;
}

const log = createLog('error');
const [command = '', ...given] = process.argv.slice(2);
try {
  const asked = read(given);
  await { make, check, load }[command]!(asked);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'ENOSPC' ? 'No space left on the disk. Partial files were removed.' : message);
  if (error instanceof AccountsRefused) list(error.problems, console.error);
  process.exit(1);
}

function read(words: string[]): Asked {
  const known = OPTIONS[command];
  const rest: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith('--')) rest.push(word);
    else if (!known?.includes(word)) throw new Error(USE);
    else options.set(word, WITH_WORD.includes(word) ? (words[++at] ?? '') : '');
  }
  const has = (option: string) => options.has(option);
  const accounts = options.get('--only') === 'accounts';
  if (!known || rest.length !== 1 || has('--only') !== accounts) throw new Error(USE);
  if (command === 'make') {
    if (Number(has('--keys')) + Number(has('--take-away')) + Number(accounts) > 1) throw new Error(USE);
    if (has('--passphrase-file') && !has('--keys') && !accounts) throw new Error(USE);
    if (has('--database-url-file') && !accounts) throw new Error(USE);
    // Standard output cannot be read back and verified, so no backup is written there.
    if (rest[0] === '-' && !has('--take-away')) throw new Error(USE);
  }
  return {
    path: rest[0] === '-' && command === 'make' ? null : resolve(rest[0]!),
    has,
    file: (option) => (has(option) ? resolve(options.get(option)!) : null),
  };
}

async function make(asked: Asked): Promise<void> {
  const { path, has } = asked;
  if (path !== null && (await stat(path).catch(() => null))) throw inTheWay(path);
  if (has('--only')) return makeOfAccounts(path!, asked);
  const house = await ownBackendConfig();
  requireFirstStart(house);
  const keys = has('--keys')
    ? await sealKeys(await readKeyFiles(house), await newPassphrase(asked.file('--passphrase-file')))
    : null;
  const wishes = { version: await productVersion(), keys, takeAway: has('--take-away') };
  if (path === null) {
    await withSource(house, log, async (source) => {
      await sendArchive(source, writeOut, wishes);
      return null;
    });
    return;
  }
  const keepFree = await keptFree(path, house);
  const manifest = await withSource(house, log, (source, served) => {
    console.log(
      served
        ? 'Reading from the running server, which stays available …'
        : 'No server is running; reading the data folder …',
    );
    return makeArchive(source, path, { ...wishes, keepFree });
  });
  console.log(`Wrote and verified ${path}. Its mode is 0600.`);
  tell(manifest);
  const { signingFile } = keyPlaces(house, await readProject(house.backend.supabaseDir));
  if (keys && signingFile) console.log(`The signing keys are not included: keep a copy of ${signingFile}.`);
}

async function makeOfAccounts(path: string, asked: Asked): Promise<void> {
  const passphrase = await newPassphrase(asked.file('--passphrase-file'));
  const wishes = { key: await newSeedKey(passphrase), version: await productVersion() };
  const hosted = asked.file('--database-url-file');
  const manifest = hosted
    ? await withAccounts(hosted, log, (place) => makeAccounts(place, path, wishes))
    : await ofOwnHouse(path, wishes);
  console.log(`Wrote and verified ${path}. Its mode is 0600, because it contains password hashes.`);
  tell(manifest);
}

async function ofOwnHouse(path: string, wishes: Parameters<typeof makeAccounts>[2]) {
  const house = await ownBackendConfig();
  requireFirstStart(house);
  const seeds = await ownSeeds(house);
  return withSource(house, log, ({ db }) => makeAccounts({ db, seeds, isHosted: false }, path, wishes));
}

async function check({ path }: Asked): Promise<void> {
  const house = await ownBackendConfig().catch(() => null);
  const isThere = house !== null && isFirstStartDone(house);
  const remember = (check: Parameters<typeof rememberCheck>[1]) =>
    rememberCheck(house!, check, log).catch((error: Error) =>
      console.error(`The result could not be recorded for the health page: ${error.message}`),
    );
  const archive = await openArchive(path!).catch(async (error: unknown) => {
    if (error instanceof DamagedArchive && isThere) await remember(FAILED);
    throw error;
  });
  await archive.close();
  const { manifest } = archive;
  if (house && manifest.contents !== 'accounts') await requireLoadable(manifest, house);
  console.log(`${path} is intact: every row, object and checksum was verified.`);
  tell(manifest);
  if (isThere && manifest.contents === 'everything') await remember({ outcome: 'whole', madeAt: manifest.madeAt });
}

function isFirstStartDone(house: House): boolean {
  try {
    requireFirstStart(house);
    return true;
  } catch {
    return false;
  }
}

async function load(asked: Asked): Promise<void> {
  const archive = await openArchive(asked.path!);
  try {
    const { manifest } = archive;
    if (manifest.contents === 'accounts') return await loadOfAccounts(archive, asked);
    if (OF_ACCOUNTS.some((option) => asked.has(option))) throw new Error(USE);
    const house = await ownBackendConfig();
    const keys = asked.has('--without-keys') ? null : await keysOf(archive, asked.file('--passphrase-file'));
    await loadArchive(archive, keys, house, log);
    for (const table of manifest.tables)
      if (table.rows) console.log(`${titleOf(table).padEnd(34)} ${numbered(table.rows, 'row')}, identical`);
    console.log(
      `Compared ${manifest.tables.length} tables (${numbered(rowsOf(manifest), 'row')}), ${numbered(manifest.sequences.length, 'sequence')} and ${numbered(manifest.objects.count, 'object')} with the archive: all identical.`,
    );
    tellMissing(manifest);
    console.log(
      keys
        ? `The keys were loaded: sessions, second factors and links stay valid.`
        : manifest.contents === 'take-away'
          ? 'The archive has no passwords: users set new ones by reset link, and admins create new draft links.'
          : `No keys were loaded; the first start creates new ones. Users have to sign in again. Authenticator apps, recovery codes and links in sent e-mails no longer work: second factors must be removed with the service key first.`,
    );
    console.log(`Loaded into ${house.dataDir}. Start it with: DATA_DIR=${house.dataDir} npm start`);
  } finally {
    await archive.close();
  }
}

async function loadOfAccounts(archive: Archive, asked: Asked): Promise<void> {
  if (asked.has('--without-keys')) throw new Error(USE);
  const [dryRun, leaveOutFactors] = [asked.has('--dry-run'), asked.has('--leave-out-factors')];
  const hosted = asked.file('--database-url-file');
  const passphrase = await passphraseFrom(asked.file('--passphrase-file'), 'Passphrase of the accounts: ');
  const seeds = await seedsOf(archive, passphrase);
  const done = await withAccounts(hosted, log, (place) =>
    loadAccounts(place, archive, seeds, { dryRun, leaveOutFactors }),
  );
  const parts = `${numbered(done.users, 'account')} with ${done.identities} identities and ${numbered(done.factors, 'second factor')}`;
  console.log(dryRun ? `The archive is valid. It would import ${parts}. Nothing was changed.` : `Imported ${parts}.`);
  if (done.there) console.log(`Already there and unchanged: ${numbered(done.there, 'account')}.`);
  if (done.leftOut.length) {
    console.log('These second factors were left out; their owners must set up new ones:');
    list(done.leftOut);
  }
  if (!done.unknownHashes.length) return;
  console.log(
    `The password hash of ${numbered(done.unknownHashes.length, 'account')} is of an unsupported type; they need a new password:`,
  );
  list(done.unknownHashes);
}

async function keysOf(archive: Archive, passphraseFile: string | null): Promise<KeyFiles | null> {
  const sealed = await archive.sealedKeys();
  if (sealed) return openKeys(sealed, await passphraseFrom(passphraseFile, 'Passphrase of the keys: '));
  if (passphraseFile) throw new Error('This archive contains no keys, so it needs no passphrase.');
  return null;
}

function writeOut(bytes: Uint8Array): Promise<void> {
  return new Promise((done, failed) =>
    process.stdout.write(bytes, (error) => (error ? failed(new Error('The reader closed the connection.')) : done())),
  );
}

/** An archive on the disk of DATA_DIR leaves as much space free as uploads do. */
async function keptFree(path: string, { dataDir, diskReserve }: House): Promise<number> {
  const [beside, house] = await Promise.all([stat(dirname(path)), stat(dataDir)]).catch((error) => {
    throw new Error(`${dirname(path)} cannot be written to: ${(error as NodeJS.ErrnoException).code}.`);
  });
  return beside.dev === house.dev ? diskReserve : 0;
}

async function productVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
