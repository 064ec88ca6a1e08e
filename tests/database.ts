import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../packages/backend/database/database.ts';
import { migrate } from '../packages/backend/database/migrate.ts';
import { type OpenOptions, openDatabase } from '../packages/backend/database/open-database.ts';
import { buildTemplate } from '../packages/backend/database/pglite/database-folder.ts';
import { findPostgres, startPostgres, type TestPostgres } from './programs/postgres.ts';
import { folderOnDisk } from './scratch.ts';
import { type NewDatabase, newDatabase, shared } from './two-machines/shared.ts';

export const silent = pino({ level: 'silent' });

/** Options for test databases, with timeouts for a busy machine. */
export const testOptions = { log: silent, maxWaitMs: 60_000, timeoutMs: 300_000 };

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'madhouse');
/** Options of `migrate` for the product's database. */
export const SCHEMA = {
  platformDir: join(ROOT, 'packages', 'backend', 'database', 'platform'),
  migrationsDir: join(ROOT, 'supabase', 'migrations'),
};

/** A template folder, so that a test database starts in a third of a second. */
export const template = buildTemplate;

/** Creates a folder for the files of a test, deleted by `remove`. @param onDisk see `folderOnDisk` */
export async function temporaryFolder({ onDisk = false } = {}) {
  const folder = onDisk ? folderOnDisk() : await mkdtemp(join(tmpdir(), 'madhouse-test-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface TestDatabase {
  db: Database;
  url?: string;
  end(): Promise<void>;
}

interface DatabaseOptions extends Partial<OpenOptions> {
  /** Apply the product's migrations; by default the database is empty. */
  migrated?: boolean;
}

export interface Engine {
  name: string;
  open(wishes?: DatabaseOptions): Promise<TestDatabase>;
}

export const embedded: Engine = {
  name: 'the embedded engine',
  async open({ migrated = false, ...options } = {}) {
    const { folder, remove } = await temporaryFolder();
    const choice = { kind: 'embedded' as const, folder: join(folder, 'database') };
    const from = await (migrated ? migratedTemplate() : template());
    const db = await openDatabase(choice, { ...testOptions, template: from, ...options });
    return { db, end: () => db.close().then(remove) };
  },
};

const ownServers = new Map<string, Promise<TestPostgres>>();

/** Creates a database on a PostgreSQL server of this process, which stops with it. @param cluster see `startPostgres`; its database `postgres` is copied */
export async function databaseFrom(cluster: string, from = 'postgres'): Promise<NewDatabase> {
  if (!ownServers.has(cluster)) ownServers.set(cluster, startPostgres(cluster));
  const { url } = await ownServers.get(cluster)!;
  return newDatabase({ postgres: url }, from);
}

/** Only necessary in the main process of a test run, which waits for its children. */
export const stopOwnServers = async () => {
  for (const server of ownServers.values()) await (await server).stop();
};

const addresses = new WeakMap<Database, string>();

/** Opens a new database on the PostgreSQL server of this process, ten times as fast as an embedded one. */
export const postgresql: Engine = {
  name: 'PostgreSQL',
  async open({ migrated = false, ...options } = {}) {
    const from = migrated ? 'postgres' : 'template0';
    const { url, drop } = await (shared ? newDatabase(shared, from) : databaseFrom(await migratedCluster(), from));
    const db = await openDatabase({ kind: 'postgres', url }, { ...testOptions, ...options });
    addresses.set(db, url);
    return { db, url, end: () => db.close().then(drop) };
  },
};

/** Runs the same tests on both engines; with `--two-machines` on PostgreSQL only. */
export const engines: readonly [Engine, ...Engine[]] = shared ? [postgresql] : [embedded, postgresql];

export const withMethods = (db: Database, methods: Partial<Database>): Database =>
  new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** The database for each machine: itself and, with `--two-machines`, a second connection. */
export const forEachMachine = async (db: Database): Promise<Database[]> => {
  const url = shared && addresses.get(db);
  return url ? [db, await openDatabase({ kind: 'postgres', url }, testOptions)] : [db];
};

/** Folder of a migrated embedded database, created once for all tests: the `template` of `openDatabase`. */
export const migratedTemplate = async () => {
  const empty = await template();
  return cacheFolder('migrated-pglite', hashInputs([empty], schemaFiles()), async (folder) => {
    const choice = { kind: 'embedded' as const, folder: join(folder, 'database') };
    const database = await openDatabase(choice, { ...testOptions, template: empty });
    await migrate(database, { ...SCHEMA, log: silent });
    await database.close();
    return join(folder, 'database');
  });
};

/** Copies it to a path that does not exist yet; with `cp`, which is faster than that of Node for a thousand files. */
export const copyMigratedTemplate = async (path: string) => {
  execFileSync('cp', ['-a', await migratedTemplate(), path]);
};

export const startMigratedPostgres = async () => startPostgres(await migratedCluster());

/** Data folder of a migrated PostgreSQL server, created once for all tests: the `from` of `startPostgres`. */
export const migratedCluster = () =>
  cacheFolder('migrated-postgres', hashInputs([findPostgres()], schemaFiles()), async (folder) => {
    const server = await startPostgres();
    const database = await openDatabase({ kind: 'postgres', url: server.url }, testOptions);
    await migrate(database, { ...SCHEMA, log: silent });
    await database.close();
    await server.stop({ keep: join(folder, 'data') });
    return join(folder, 'data');
  });

/**
 * Creates a folder once per state of its inputs. Later calls, in this run or another, reuse it; folders of earlier states
 * are deleted.
 */
export async function cacheFolder(
  name: string,
  state: string,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  const path = join(CACHE, `${name}-${state}`);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const isOutdated = (file: string) => file.startsWith(`${name}-`) && !file.startsWith(basename(path));
  for (const old of readdirSync(CACHE).filter(isOutdated)) rmSync(join(CACHE, old), { recursive: true, force: true });
  const { folder, remove } = await temporaryFolder();
  const source = await make(folder);
  const temporaryPath = `${path}.${process.pid}`;
  // Keeps owner and mode, which PostgreSQL checks.
  execFileSync('cp', ['-a', source, temporaryPath]);
  await remove();
  try {
    renameSync(temporaryPath, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
    rmSync(temporaryPath, { recursive: true, force: true });
  }
  return path;
}

const schemaFiles = () => Object.values(SCHEMA).flatMap((folder) => globSync(join(folder, '*.sql')).sort());

export function hashInputs(texts: readonly string[], files: readonly string[]): string {
  const digest = createHash('sha256');
  for (const text of texts) digest.update(`${text}\0`);
  for (const file of files) digest.update(file).update(readFileSync(file));
  return digest.digest('hex').slice(0, 16);
}
