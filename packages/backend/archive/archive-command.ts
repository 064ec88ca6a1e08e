import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownBackendConfig, requireFirstStart } from '../config/config.ts';
import { readProject } from '../config/supabase-config.ts';
import { createLog } from '../http/log.ts';
import { keyPlaces } from '../keys/key-file.ts';
import { createSeedKey, loadOwnSeeds, openSeedCipher, withAccountsDatabase } from './accounts/accounts-database.ts';
import { AccountsRefused, loadAccounts } from './accounts/load-accounts.ts';
import { makeAccounts } from './accounts/make-accounts.ts';
import { FAILED_CHECK } from './archive-checks.ts';
import { loadArchive, requireLoadable } from './load-archive.ts';
import { makeArchive, sendArchive } from './make-archive.ts';
import { type Manifest, qualifiedName } from './manifest.ts';
import { type Archive, DamagedArchive, openArchive } from './open-archive.ts';
import { type KeyFiles, newPassphrase, openKeys, readKeyFiles, readPassphrase, sealKeys } from './sealed-keys.ts';
import { recordCheckResult, withSource } from './with-source.ts';
import { fileExistsError } from './write-new-file.ts';

// `load` creates an installation, except that an archive of accounts is imported into an existing one.
const USAGE = `Usage: npm run archive -- make FILE [--keys] [--passphrase-file FILE]
       npm run archive -- make FILE --take-away
       npm run archive -- make FILE --only accounts [--passphrase-file FILE] [--database-url-file FILE]
       npm run archive -- check FILE
       npm run archive -- load FILE [--passphrase-file FILE | --without-keys]
       npm run archive -- load FILE (of accounts) [--passphrase-file FILE] [--database-url-file FILE] [--dry-run] [--leave-out-factors]`;
const VALUE_OPTIONS = ['--only', '--passphrase-file', '--database-url-file'];
const OPTIONS: Record<string, readonly string[]> = {
  make: ['--keys', '--take-away', ...VALUE_OPTIONS],
  check: [],
  load: ['--without-keys', '--passphrase-file', '--database-url-file', '--dry-run', '--leave-out-factors'],
};
const ACCOUNTS_OPTIONS = ['--database-url-file', '--dry-run', '--leave-out-factors'];

type Installation = Awaited<ReturnType<typeof ownBackendConfig>>;

interface CommandOptions {
  path: string | null;
  has(option: string): boolean;
  file(option: string): string | null;
}

const MAX_LISTED = 20;

const CONTENTS: Record<Manifest['contents'], string> = {
  everything: 'everything',
  accounts: 'accounts only, to be loaded into an existing installation',
  'take-away': 'everything but password hashes, second factors, sessions, draft links and keys',
};

const log = createLog('error');
const [command = '', ...args] = process.argv.slice(2);
try {
  const options = parseOptions(args);
  await { make: makeFromOptions, check: checkArchive, load: restore }[command]!(options);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'ENOSPC' ? 'No space left on the disk. Partial files were removed.' : message);
  if (error instanceof AccountsRefused) printList(error.problems, console.error);
  process.exit(1);
}

function parseOptions(args: string[]): CommandOptions {
  const allowed = OPTIONS[command];
  const files: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (!arg.startsWith('--')) files.push(arg);
    else if (!allowed?.includes(arg)) throw new Error(USAGE);
    else options.set(arg, VALUE_OPTIONS.includes(arg) ? (args[++at] ?? '') : '');
  }
  const has = (option: string) => options.has(option);
  const accounts = options.get('--only') === 'accounts';
  if (!allowed || files.length !== 1 || has('--only') !== accounts) throw new Error(USAGE);
  if (command === 'make') {
    if (Number(has('--keys')) + Number(has('--take-away')) + Number(accounts) > 1) throw new Error(USAGE);
    if (has('--passphrase-file') && !has('--keys') && !accounts) throw new Error(USAGE);
    if (has('--database-url-file') && !accounts) throw new Error(USAGE);
    // Standard output cannot be read back and verified, so no backup is written there.
    if (files[0] === '-' && !has('--take-away')) throw new Error(USAGE);
  }
  return {
    path: files[0] === '-' && command === 'make' ? null : resolve(files[0]!),
    has,
    file: (option) => (has(option) ? resolve(options.get(option)!) : null),
  };
}

async function makeFromOptions(options: CommandOptions): Promise<void> {
  const { path, has } = options;
  if (path !== null && (await stat(path).catch(() => null))) throw fileExistsError(path);
  if (has('--only')) return makeAccountsArchive(path!, options);
  const config = await ownBackendConfig();
  requireFirstStart(config);
  const keys = has('--keys')
    ? await sealKeys(await readKeyFiles(config), await newPassphrase(options.file('--passphrase-file')))
    : null;
  const archiveOptions = { version: await readProductVersion(), keys, takeAway: has('--take-away') };
  if (path === null) {
    await withSource(config, log, (source) => sendArchive(source, writeToStdout, archiveOptions).then(() => null));
    return;
  }
  const reservedBytes = await reservedBytesFor(path, config);
  const manifest = await withSource(config, log, (source, fromServer) => {
    console.log(
      fromServer
        ? 'Reading from the running server, which stays available …'
        : 'No server is running; reading the data folder …',
    );
    return makeArchive(source, path, { ...archiveOptions, reservedBytes });
  });
  console.log(`Wrote and verified ${path}. Its mode is 0600.`);
  printManifest(manifest);
  const { signingFile } = keyPlaces(config, await readProject(config.backend.supabaseDir));
  if (keys && signingFile) console.log(`The signing keys are not included: keep a copy of ${signingFile}.`);
}

async function makeAccountsArchive(path: string, options: CommandOptions): Promise<void> {
  const passphrase = await newPassphrase(options.file('--passphrase-file'));
  const archiveOptions = { key: await createSeedKey(passphrase), version: await readProductVersion() };
  const hosted = options.file('--database-url-file');
  const manifest = hosted
    ? await withAccountsDatabase(hosted, log, (database) => makeAccounts(database, path, archiveOptions))
    : await makeOwnAccounts(path, archiveOptions);
  console.log(`Wrote and verified ${path}. Its mode is 0600, because it contains password hashes.`);
  printManifest(manifest);
}

async function makeOwnAccounts(path: string, archiveOptions: Parameters<typeof makeAccounts>[2]) {
  const config = await ownBackendConfig();
  requireFirstStart(config);
  const seeds = await loadOwnSeeds(config);
  return withSource(config, log, ({ db }) => makeAccounts({ db, seeds, isHosted: false }, path, archiveOptions));
}

async function checkArchive({ path }: CommandOptions): Promise<void> {
  const config = await ownBackendConfig().catch(() => null);
  const isInstalled = config !== null && isFirstStartDone(config);
  const record = (check: Parameters<typeof recordCheckResult>[1]) =>
    recordCheckResult(config!, check, log).catch((error: Error) =>
      console.error(`The result could not be recorded for the health page: ${error.message}`),
    );
  const archive = await openArchive(path!).catch(async (error: unknown) => {
    if (error instanceof DamagedArchive && isInstalled) await record(FAILED_CHECK);
    throw error;
  });
  await archive.close();
  const { manifest } = archive;
  if (config && manifest.contents !== 'accounts') await requireLoadable(manifest, config);
  console.log(`${path} is intact: every row, object and checksum was verified.`);
  printManifest(manifest);
  if (isInstalled && manifest.contents === 'everything') await record({ outcome: 'whole', madeAt: manifest.madeAt });
}

function isFirstStartDone(config: Installation): boolean {
  try {
    requireFirstStart(config);
    return true;
  } catch {
    return false;
  }
}

async function restore(options: CommandOptions): Promise<void> {
  const archive = await openArchive(options.path!);
  try {
    const { manifest } = archive;
    if (manifest.contents === 'accounts') return await restoreAccounts(archive, options);
    if (ACCOUNTS_OPTIONS.some((option) => options.has(option))) throw new Error(USAGE);
    const config = await ownBackendConfig();
    const keys = options.has('--without-keys') ? null : await readKeys(archive, options.file('--passphrase-file'));
    await loadArchive(archive, keys, config, log);
    for (const table of manifest.tables)
      if (table.rows) console.log(`${qualifiedName(table).padEnd(34)} ${pluralize(table.rows, 'row')}, identical`);
    console.log(
      `Compared ${manifest.tables.length} tables (${pluralize(countRows(manifest), 'row')}), ${pluralize(manifest.sequences.length, 'sequence')} and ${pluralize(manifest.objects.count, 'object')} with the archive: all identical.`,
    );
    printMissing(manifest);
    console.log(
      keys
        ? `The keys were loaded: sessions, second factors and links stay valid.`
        : manifest.contents === 'take-away'
          ? 'The archive has no passwords: users set new ones by reset link, and admins create new draft links.'
          : `No keys were loaded; the first start creates new ones. Users have to sign in again. Authenticator apps, recovery codes and links in sent e-mails no longer work: second factors must be removed with the service key first.`,
    );
    console.log(`Loaded into ${config.dataDir}. Start it with: DATA_DIR=${config.dataDir} npm start`);
  } finally {
    await archive.close();
  }
}

async function restoreAccounts(archive: Archive, options: CommandOptions): Promise<void> {
  if (options.has('--without-keys')) throw new Error(USAGE);
  const [dryRun, skipInvalidFactors] = [options.has('--dry-run'), options.has('--leave-out-factors')];
  const hosted = options.file('--database-url-file');
  const passphrase = await readPassphrase(options.file('--passphrase-file'), 'Passphrase of the accounts: ');
  const seeds = await openSeedCipher(archive, passphrase);
  const result = await withAccountsDatabase(hosted, log, (database) =>
    loadAccounts(database, archive, seeds, { dryRun, skipInvalidFactors }),
  );
  const summary = `${pluralize(result.users, 'account')} with ${result.identities} identities and ${pluralize(result.factors, 'second factor')}`;
  console.log(
    dryRun ? `The archive is valid. It would import ${summary}. Nothing was changed.` : `Imported ${summary}.`,
  );
  if (result.existing) console.log(`Already present and unchanged: ${pluralize(result.existing, 'account')}.`);
  if (result.skippedFactors.length) {
    console.log('These second factors were left out; their owners must set up new ones:');
    printList(result.skippedFactors);
  }
  if (!result.unknownHashes.length) return;
  console.log(
    `The password hash of ${pluralize(result.unknownHashes.length, 'account')} is of an unsupported type; they need a new password:`,
  );
  printList(result.unknownHashes);
}

async function readKeys(archive: Archive, passphraseFile: string | null): Promise<KeyFiles | null> {
  const sealed = await archive.sealedKeys();
  if (sealed) return openKeys(sealed, await readPassphrase(passphraseFile, 'Passphrase of the keys: '));
  if (passphraseFile) throw new Error('This archive contains no keys, so it needs no passphrase.');
  return null;
}

function writeToStdout(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(bytes, (error) =>
      error ? reject(new Error('The reader closed the connection.')) : resolve(),
    ),
  );
}

/** On the disk of DATA_DIR an archive leaves as much space free as uploads do. */
async function reservedBytesFor(path: string, { dataDir, diskReserve }: Installation): Promise<number> {
  const [target, data] = await Promise.all([stat(dirname(path)), stat(dataDir)]).catch((error) => {
    throw new Error(`${dirname(path)} cannot be written to: ${(error as NodeJS.ErrnoException).code}.`);
  });
  return target.dev === data.dev ? diskReserve : 0;
}

async function readProductVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function printManifest(manifest: Manifest): void {
  const { version, engine, madeAt, contents, migrations, tables, objects, keys } = manifest;
  const origin = engine === 'pglite' ? 'the embedded database' : 'a PostgreSQL server';
  console.log(
    `Made ${madeAt} by version ${version} from ${origin}${contents === 'accounts' ? '' : `, at migration ${migrations.at(-1)?.version ?? 'none'}`}.\n` +
      `Contents: ${CONTENTS[contents]}.\n` +
      `${pluralize(tables.length, 'table')} with ${pluralize(countRows(manifest), 'row')}, ${pluralize(objects.count, 'object')} of ${Math.ceil(objects.bytes / 1024 ** 2)} MB, ${keys ? 'keys, sealed with the passphrase' : 'no keys'}.`,
  );
  printMissing(manifest);
}

function printMissing({ missing }: Manifest): void {
  if (!missing.length) return;
  console.log(`${pluralize(missing.length, 'object')} had no data on the server, so none is included:`);
  printList(missing);
}

function printList(lines: readonly string[], write: (line: string) => void = console.log): void {
  for (const line of lines.slice(0, MAX_LISTED)) write(`  ${line}`);
  if (lines.length > MAX_LISTED) write(`  and ${lines.length - MAX_LISTED} more`);
}

function countRows({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
