import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { Config, OwnBackend } from '../../config.ts';
import { forceToDisk, writeDurably } from '../data-dir/durable-file.ts';
import { lockFolder } from '../data-dir/lock-folder.ts';
import { openDatabase } from '../database/open-database.ts';
import { openStore } from '../storage/open-store.ts';
import type { Store } from '../storage/store.ts';
import { LOADING, STATE } from './interrupted-load.ts';
import { loadRows, requireKnown } from './load-rows.ts';
import type { Manifest } from './manifest.ts';
import type { Archive } from './open-archive.ts';
import { tablesOf } from './rows.ts';
import { KEY_FILES, type KeyFiles, keyFilePlace } from './sealed-keys.ts';

type House = Pick<Config, 'dataDir' | 'keysFile'> & { backend: OwnBackend };

/** Progress of a load; durable, so that a retry recognises leftovers. */
interface State {
  archive: string;
  /** Identifies the database without revealing its password. */
  database: string;
  /** Unique per load, since a killed process may leave a child that still writes. */
  work: string;
  complete: boolean;
}

/** @throws Error for the operator when this version cannot load the archive */
export const requireLoadable = (manifest: Manifest, { backend }: House): Promise<void> =>
  requireKnown(manifest, join(backend.supabaseDir, 'migrations'));

/**
 * Unpacks beside the place, compares, then moves. Until the last step starts are refused and a retry resumes or
 * restarts.
 * @param keys key files to restore; null: the first start creates new ones
 * @throws Error with a message for the operator
 */
export async function loadArchive(archive: Archive, keys: KeyFiles | null, house: House, log: Logger): Promise<void> {
  const { dataDir, backend } = house;
  await requireLoadable(archive.manifest, house);
  // Uploads and keys belong to one server too, wherever the database is.
  const unlock = lockFolder(join(dataDir, 'database'), `DATA_DIR ${dataDir}`);
  try {
    const staging = join(dataDir, LOADING);
    const state: State = {
      archive: createHash('sha256').update(JSON.stringify(archive.manifest)).digest('hex'),
      database: createHash('sha256').update(JSON.stringify(backend.database)).digest('hex'),
      work: randomUUID(),
      complete: false,
    };
    const left = await stateIn(staging);
    if (left && (left.archive !== state.archive || left.database !== state.database))
      throw new Error(
        `Loading another archive into ${dataDir} was interrupted. Repeat that, or remove ${staging} first.`,
      );
    if (!left?.complete) {
      await requireNothingThere(house, left === null, log);
      await saveState(staging, state);
      if (left) await rm(join(staging, left.work), { recursive: true, force: true }).catch(() => {});
      await unpack(archive, keys, house, join(staging, state.work), log);
      await saveState(staging, { ...state, complete: true });
    }
    await moveIntoPlace(join(staging, left?.complete ? left.work : state.work), house);
    await rm(join(staging, STATE));
    await rm(staging, { recursive: true, force: true }).catch(() => {});
    await forceToDisk(dataDir);
  } finally {
    unlock();
  }
}

function places(house: House): { staged: string; place: string }[] {
  const { backend } = house;
  return [
    ...(backend.objects.kind === 'disk' ? [{ staged: 'objects', place: backend.objects.folder }] : []),
    ...KEY_FILES.map((name) => ({ staged: name, place: keyFilePlace(house, name) })),
    ...(backend.database.kind === 'embedded' ? [{ staged: 'database', place: backend.database.folder }] : []),
  ];
}

async function requireNothingThere(house: House, databaseToo: boolean, log: Logger): Promise<void> {
  const { backend, dataDir } = house;
  const inTheWay: string[] = [];
  // A record of another database would refuse to start with this one.
  const taken = [...places(house).map(({ place }) => place), join(dataDir, 'database.json')];
  for (const place of taken) if (!(await isNothing(place))) inTheWay.push(basename(place));
  if (inTheWay.length)
    throw new Error(
      `${dataDir} is not empty: it has ${inTheWay.join(', ')}. Nothing was changed. Set DATA_DIR to a new folder, or move this one away first.`,
    );
  if (backend.database.kind !== 'postgres' || !databaseToo) return;
  const db = await openDatabase(backend.database, { log });
  try {
    const tables = await tablesOf(db);
    if (tables.length)
      throw new Error(
        `The database of DATABASE_URL is not empty: it has ${tables[0]!.schema}.${tables[0]!.name} and ${tables.length - 1} other tables. Nothing was changed. Name a new database.`,
      );
  } finally {
    await db.close();
  }
}

async function unpack(archive: Archive, keys: KeyFiles | null, house: House, work: string, log: Logger) {
  const { database, objects, supabaseDir } = house.backend;
  const choice = database.kind === 'embedded' ? { ...database, folder: join(work, 'database') } : database;
  await mkdir(work, { mode: 0o700 });
  const db = await openDatabase(choice, { log });
  try {
    await loadRows(db, archive, { migrationsDir: join(supabaseDir, 'migrations'), scratch: work, log });
    // A bucket receives them directly: no client requests an object before its row exists.
    const store = await openStore(objects.kind === 'disk' ? { ...objects, folder: join(work, 'objects') } : objects, {
      db,
      temp: () => join(work, randomUUID()),
      log,
    });
    await unpackObjects(archive, store, join(work, 'arriving'));
    store.close();
  } finally {
    await db.close();
  }
  for (const [name, text] of Object.entries(keys ?? {})) await writeDurably(join(work, name), text);
}

async function unpackObjects(archive: Archive, store: Store, arriving: string): Promise<void> {
  for (const version of archive.objects) {
    await pipeline(archive.object(version), createWriteStream(arriving, { mode: 0o600 }));
    await store.put(version, 'original', arriving);
  }
  for (const version of archive.objects) {
    const digest = createHash('sha256');
    const opened = await store.open(version, 'original');
    const content = await opened!.read();
    for await (const chunk of content instanceof ArrayBuffer ? [new Uint8Array(content)] : content)
      digest.update(chunk as Uint8Array);
    if (digest.digest('hex') !== archive.sumOf(version))
      throw new Error(`The object ${version} changed while it was unpacked. Check the disk.`);
  }
}

async function moveIntoPlace(work: string, house: House): Promise<void> {
  for (const { staged, place } of places(house)) {
    const from = join(work, staged);
    if (!(await stat(from).catch(missingIsNull))) continue;
    if (!(await isNothing(place)))
      throw new Error(`${place} was created while the archive was loaded. Move it away and repeat.`);
    await rmdir(place).catch(missingIsNull);
    await rename(from, place);
  }
  await forceToDisk(house.dataDir);
}

async function isNothing(path: string): Promise<boolean> {
  const found = await stat(path).catch(missingIsNull);
  return !found || (found.isDirectory() && (await readdir(path)).length === 0);
}

async function stateIn(staging: string): Promise<State | null> {
  const text = await readFile(join(staging, STATE), 'utf8').catch(missingIsNull);
  return text === null ? null : (JSON.parse(text) as State);
}

const saveState = (staging: string, state: State) => writeDurably(join(staging, STATE), JSON.stringify(state));

function missingIsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
