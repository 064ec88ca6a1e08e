import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { hasStarted, type OwnConfig, ownBackendConfig, startedConfig } from '../config/config.ts';
import { readProject } from '../config/supabase-config.ts';
import { createLog } from '../http/log.ts';
import { keyPlaces } from '../keys/key-file.ts';
import { createSeedKey, loadOwnSeeds, openSeedCipher, withAccountsDatabase } from './accounts/accounts-database.ts';
import { AccountsRefused, loadAccounts } from './accounts/load-accounts.ts';
import { makeAccounts } from './accounts/make-accounts.ts';
import { type CheckResult, FAILED_CHECK } from './archive-checks.ts';
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
const FLAG = { type: 'boolean', default: false } as const;
const TEXT = { type: 'string' } as const;
const SECRET_FILES = { 'passphrase-file': TEXT, 'database-url-file': TEXT };

const MAX_LISTED = 20;

const CONTENTS: Record<Manifest['contents'], string> = {
  everything: 'everything',
  accounts: 'accounts only, to be loaded into an existing installation',
  'take-away': 'everything but password hashes, second factors, sessions, draft links and keys',
};

const pathOf = (file: string | undefined) => (file === undefined ? null : resolve(file));
const countRows = ({ tables }: Manifest) => tables.reduce((sum, { rows }) => sum + rows, 0);
const pluralize = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const log = createLog('error');
const [command = '', ...args] = process.argv.slice(2);
const COMMANDS: Record<string, () => Promise<void>> = { make, check, load };
try {
  const run = COMMANDS[command];
  if (!run) throw new Error(USAGE);
  await run();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'ENOSPC' ? 'No space left on the disk. Partial files were removed.' : message);
  if (error instanceof AccountsRefused) printList(error.problems, console.error);
  process.exit(1);
}

function parseOptions<Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file && !others.length) return { file, values };
  } catch {}
  throw new Error(USAGE);
}

async function make(): Promise<void> {
  const { file, values } = parseOptions({ keys: FLAG, 'take-away': FLAG, only: TEXT, ...SECRET_FILES });
  const { keys: withKeys, 'take-away': takeAway, only } = values;
  const [passphraseFile, urlFile] = [pathOf(values['passphrase-file']), pathOf(values['database-url-file'])];
  if ((only ?? 'accounts') !== 'accounts' || Number(withKeys) + Number(takeAway) + Number(only !== undefined) > 1)
    throw new Error(USAGE);
  if ((passphraseFile && !withKeys && !only) || (urlFile && !only)) throw new Error(USAGE);
  // Standard output cannot be read back and verified, so no backup is written there.
  if (file === '-' && !takeAway) throw new Error(USAGE);
  const path = resolve(file);
  if (file !== '-' && (await stat(path).catch(() => null))) throw fileExistsError(path);
  if (only) return makeAccountsArchive(path, passphraseFile, urlFile);
  const config = await startedConfig();
  const keys = withKeys ? await sealKeys(await readKeyFiles(config), await newPassphrase(passphraseFile)) : null;
  const archiveOptions = { version: await readProductVersion(), keys, takeAway };
  if (file === '-') {
    await withSource(config, log, (source) => sendArchive(source, writeToStdout, archiveOptions).then(() => null));
    return;
  }
  const reservedBytes = await reservedBytesFor(path, config);
  const manifest = await withSource(config, log, (source, fromServer) => {
    const origin = fromServer ? 'from the running server, which stays available' : 'the database and the stored files';
    console.log(`Reading ${origin} …`);
    return makeArchive(source, path, { ...archiveOptions, reservedBytes });
  });
  console.log(`Wrote and verified ${path}. Its mode is 0600.`);
  printManifest(manifest);
  const { signingFile } = keyPlaces(config, await readProject(config.backend.supabaseDir));
  if (keys && signingFile) console.log(`The signing keys are not included: keep a copy of ${signingFile}.`);
}

async function makeAccountsArchive(path: string, passphraseFile: string | null, urlFile: string | null) {
  const key = await createSeedKey(await newPassphrase(passphraseFile));
  const archiveOptions = { key, version: await readProductVersion() };
  const manifest = urlFile
    ? await withAccountsDatabase(urlFile, log, (database) => makeAccounts(database, path, archiveOptions))
    : await makeOwnAccounts(path, archiveOptions);
  console.log(`Wrote and verified ${path}. Its mode is 0600, because it contains password hashes.`);
  printManifest(manifest);
}

async function makeOwnAccounts(path: string, archiveOptions: Parameters<typeof makeAccounts>[2]) {
  const config = await startedConfig();
  const seeds = await loadOwnSeeds(config);
  return withSource(config, log, ({ db }) => makeAccounts({ db, seeds, isHosted: false }, path, archiveOptions));
}

async function check(): Promise<void> {
  const path = resolve(parseOptions({}).file);
  const config = await ownBackendConfig().catch(() => null);
  const isInstalled = config !== null && hasStarted(config);
  const record = (result: CheckResult) =>
    recordCheckResult(config!, result, log).catch((error: Error) =>
      console.error(`The result could not be recorded for the health page: ${error.message}`),
    );
  const archive = await openArchive(path).catch(async (error: unknown) => {
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

async function load(): Promise<void> {
  const options = { 'without-keys': FLAG, 'dry-run': FLAG, 'leave-out-factors': FLAG, ...SECRET_FILES };
  const { file, values } = parseOptions(options);
  const { 'without-keys': withoutKeys, 'dry-run': dryRun, 'leave-out-factors': skipInvalidFactors } = values;
  const [passphraseFile, urlFile] = [pathOf(values['passphrase-file']), pathOf(values['database-url-file'])];
  const archive = await openArchive(resolve(file));
  try {
    const { manifest } = archive;
    const isAccounts = manifest.contents === 'accounts';
    if (isAccounts ? withoutKeys : urlFile || dryRun || skipInvalidFactors) throw new Error(USAGE);
    if (isAccounts) return await restoreAccounts(archive, passphraseFile, urlFile, { dryRun, skipInvalidFactors });
    const config = await ownBackendConfig();
    const keys = withoutKeys ? null : await readKeys(archive, passphraseFile);
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
          ? 'The archive has no passwords: users set new ones by reset link, and admins create new draft links and new secrets of webhooks.'
          : `No keys were loaded: the first start uses KEYS_FILE if it exists, else new ones. With new ones users have to sign in again, and authenticator apps, recovery codes and links in sent e-mails no longer work: second factors must be removed with the service key first.`,
    );
    console.log(`Loaded into ${config.dataDir}. Start it with: DATA_DIR=${config.dataDir} npm start`);
  } finally {
    await archive.close();
  }
}

async function restoreAccounts(
  archive: Archive,
  passphraseFile: string | null,
  urlFile: string | null,
  options: { dryRun: boolean; skipInvalidFactors: boolean },
): Promise<void> {
  const seeds = await openSeedCipher(archive, await readPassphrase(passphraseFile, 'Passphrase of the accounts: '));
  const result = await withAccountsDatabase(urlFile, log, (database) =>
    loadAccounts(database, archive, seeds, options),
  );
  const summary = `${pluralize(result.users, 'account')} with ${result.identities} identities and ${pluralize(result.factors, 'second factor')}`;
  console.log(
    options.dryRun ? `The archive is valid. It would import ${summary}. Nothing was changed.` : `Imported ${summary}.`,
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
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(bytes, (error) => (error ? reject(new Error('The reader closed the connection.')) : resolve()));
  return promise;
}

/** On the disk of DATA_DIR an archive leaves as much space free as uploads do. */
async function reservedBytesFor(path: string, { dataDir, diskReserve }: OwnConfig): Promise<number> {
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
