import { createHash, hash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Logger } from 'pino';
import type { OwnConfig } from '../config/config.ts';
import { fsyncPath, nullIfMissing, readIfPresent, writeDurably } from '../data-dir/durable-file.ts';
import { lockFolder } from '../data-dir/lock-folder.ts';
import { STAGING_FOLDER, STATE_FILE } from '../data-dir/require-writable.ts';
import { openDatabase } from '../database/open-database.ts';
import { openStore } from '../storage/open-store.ts';
import { chunksOf, type Store } from '../storage/store.ts';
import { loadRows, requireKnownMigrations } from './load-rows.ts';
import type { Manifest } from './manifest.ts';
import type { Archive } from './open-archive.ts';
import { readTables } from './rows.ts';
import { KEY_FILES, type KeyFiles, keyFilePath } from './sealed-keys.ts';

type Installation = Pick<OwnConfig, 'dataDir' | 'keysFile' | 'backend'>;

/** Progress of a load, in `state.json`. Durable, so that a retry recognises leftovers. */
interface LoadState {
  archive: string;
  database: string;
  /** The installation, which a retry keeps because it marks an S3 bucket, and the try: a killed one may still write. */
  work: string;
  complete: boolean;
}

/** @throws Error for the operator when this version cannot load the archive */
export const requireLoadable = (manifest: Manifest, { backend }: Installation): Promise<void> =>
  requireKnownMigrations(manifest, join(backend.supabaseDir, 'migrations'));

/**
 * Unpacks into a staging folder, compares, then moves into place; a retry resumes. No server starts before the end.
 * @param keys key files to restore; null: the first start creates new ones @throws Error for the operator
 */
export async function loadArchive(archive: Archive, keys: KeyFiles | null, config: Installation, log: Logger) {
  const { dataDir, backend } = config;
  await requireLoadable(archive.manifest, config);
  // Uploads and keys belong to one server too, wherever the database is.
  const unlock = lockFolder(join(dataDir, 'database'), `DATA_DIR ${dataDir}`);
  try {
    const staging = join(dataDir, STAGING_FOLDER);
    const previous = await readState(staging);
    const state: LoadState = {
      archive: hash('sha256', JSON.stringify(archive.manifest)),
      database: hash('sha256', JSON.stringify(backend.database)),
      work: `${previous?.work.split('_')[0] ?? randomUUID()}_${randomUUID()}`,
      complete: false,
    };
    if (previous && (previous.archive !== state.archive || previous.database !== state.database))
      throw new Error(
        `Loading another archive into ${dataDir} was interrupted. Repeat that, or remove ${staging} first.`,
      );
    if (!previous?.complete) {
      await requireEmptyInstallation(config, keys, previous === null, log);
      await saveState(staging, state);
      if (previous) await rm(join(staging, previous.work), { recursive: true, force: true }).catch(() => {});
      await unpackInto(archive, keys, config, join(staging, state.work), log);
      await saveState(staging, { ...state, complete: true });
    }
    await moveIntoPlace(join(staging, previous?.complete ? previous.work : state.work), config);
    await rm(join(staging, STATE_FILE));
    await rm(staging, { recursive: true, force: true }).catch(() => {});
    await fsyncPath(dataDir);
  } finally {
    unlock();
  }
}

function targets(config: Installation): { staged: string; target: string }[] {
  const { backend } = config;
  return [
    ...(backend.objects.kind === 'disk' ? [{ staged: 'objects', target: backend.objects.folder }] : []),
    ...KEY_FILES.map((name) => ({ staged: name, target: keyFilePath(config, name) })),
    ...(backend.database.kind === 'embedded' ? [{ staged: 'database', target: backend.database.folder }] : []),
  ];
}

async function requireEmptyInstallation(config: Installation, keys: KeyFiles | null, isFirstTry: boolean, log: Logger) {
  const { backend, dataDir, keysFile } = config;
  const conflicts: string[] = [];
  // `database.json` of another database would prevent the start.
  const paths = [...targets(config).map(({ target }) => target), join(dataDir, 'database.json')];
  // The first start uses keys that are outside DATA_DIR when none are loaded.
  const mayExist = keys || dirname(keysFile) === dataDir ? [] : KEY_FILES.map((name) => keyFilePath(config, name));
  for (const path of paths)
    if (!mayExist.includes(path) && !(await isMissingOrEmpty(path))) conflicts.push(relative(dataDir, path));
  if (conflicts.length)
    throw new Error(
      `Loading into ${dataDir} would replace ${conflicts.join(', ')}. Nothing was changed. Set DATA_DIR to a new folder, or move these away first; --without-keys uses existing keys in a KEYS_FILE outside DATA_DIR.`,
    );
  if (backend.database.kind !== 'postgres' || !isFirstTry) return;
  await using db = await openDatabase(backend.database, { log });
  const tables = await readTables(db);
  if (tables.length)
    throw new Error(
      `The database of DATABASE_URL is not empty: it has ${tables[0]!.schema}.${tables[0]!.name} and ${tables.length - 1} other tables. Nothing was changed. Name a new database.`,
    );
}

async function unpackInto(archive: Archive, keys: KeyFiles | null, config: Installation, work: string, log: Logger) {
  const { database, objects, supabaseDir } = config.backend;
  const choice = database.kind === 'embedded' ? { ...database, folder: join(work, 'database') } : database;
  await mkdir(work, { mode: 0o700 });
  await using db = await openDatabase(choice, { log });
  await loadRows(db, archive, { migrationsDir: join(supabaseDir, 'migrations'), tempDir: work, log });
  const installation = basename(work).split('_')[0]!;
  await db.query('insert into storage.installation (id) values ($1) on conflict do nothing', [installation]);
  // An S3 bucket receives objects directly: no client requests one before its row exists.
  const objectsChoice = objects.kind === 'disk' ? { ...objects, folder: join(work, 'objects') } : objects;
  const store = await openStore(objectsChoice, { db, createTempPath: () => join(work, randomUUID()), log });
  await unpackObjects(archive, store, join(work, 'incoming'));
  store.close();
  for (const [name, text] of Object.entries(keys ?? {})) await writeDurably(join(work, name), text);
}

async function unpackObjects(archive: Archive, store: Store, tempPath: string): Promise<void> {
  for (const version of archive.objects) {
    await writeFile(tempPath, archive.readObject(version), { mode: 0o600 });
    await store.put(version, 'original', tempPath);
  }
  for (const version of archive.objects) {
    const digest = createHash('sha256');
    for await (const chunk of chunksOf((await store.open(version, 'original'))!)) digest.update(chunk);
    if (digest.digest('hex') !== archive.checksumOf(version))
      throw new Error(`The object ${version} changed while it was unpacked. Check the disk.`);
  }
}

async function moveIntoPlace(work: string, config: Installation): Promise<void> {
  for (const { staged, target } of targets(config)) {
    const from = join(work, staged);
    if (!(await stat(from).catch(nullIfMissing))) continue;
    if (!(await isMissingOrEmpty(target)))
      throw new Error(`${target} was created while the archive was loaded. Move it away and repeat.`);
    await rmdir(target).catch(nullIfMissing);
    // Keys may be on another volume.
    await rename(from, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      await writeDurably(target, await readFile(from, 'utf8'));
    });
  }
  await fsyncPath(config.dataDir);
}

async function isMissingOrEmpty(path: string): Promise<boolean> {
  const found = await stat(path).catch(nullIfMissing);
  return !found || (found.isDirectory() && (await readdir(path)).length === 0);
}

const readState = async (staging: string) =>
  JSON.parse((await readIfPresent(join(staging, STATE_FILE))) ?? 'null') as LoadState | null;

const saveState = (staging: string, state: LoadState) => writeDurably(join(staging, STATE_FILE), JSON.stringify(state));
