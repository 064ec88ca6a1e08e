import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { forceToDisk } from '../../data-dir/durable-file.ts';
import { copyInUse, type StandStill } from './folder-copy.ts';
import { POSTGRES_VERSION } from './settings.ts';

const UNFINISHED = '.new-';
const run = promisify(execFile);
const INIT = fileURLToPath(new URL('./init.ts', import.meta.url));
const SETTINGS = fileURLToPath(new URL('./settings.ts', import.meta.url));
const BUILT = fileURLToPath(new URL('../../../build/database', import.meta.url));

/**
 * Renamed into place when durable, so that a killed start leaves a usable folder. The caller holds the lock.
 * @param template a folder to copy, by default the build's; null: create from nothing, which takes seconds
 * @throws Error when the folder holds something else, or a database of another PostgreSQL version
 */
export async function makeFolder(folder: string, template?: string | null): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version?.trim() === POSTGRES_VERSION) return;
  if (version !== null)
    throw new Error(
      `The database folder ${folder} belongs to PostgreSQL ${version.trim()}, but this server has ${POSTGRES_VERSION}. Start the version that made it, or restore a backup.`,
    );
  const strangers = await readdir(folder).catch(() => []);
  if (strangers.length)
    throw new Error(
      `The folder ${folder} is not empty and contains no database. Move it away, or set DATA_DIR to another folder.`,
    );
  await removeUnfinished(folder);
  const prepared = template === undefined ? await builtFolder() : template;
  await placeFolder(folder, prepared ? (unfinished) => copy(prepared, unfinished) : build);
}

/** Atomic. @param durable force it to disk, which slows down concurrent writes */
export const copyDatabaseFolder = (from: string, to: string, standStill: StandStill, durable: boolean) =>
  placeFolder(to, async (unfinished) => {
    await copyInUse(from, unfinished, standStill);
    if (durable) await forceTree(unfinished);
  });

/** A killed process may leave a child that still writes, so every start uses a unique name. */
export async function placeFolder(folder: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${resolve(folder)}${UNFINISHED}${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await make(unfinished);
  await rename(unfinished, folder);
  await forceToDisk(dirname(resolve(folder)));
}

async function removeUnfinished(folder: string): Promise<void> {
  const parent = dirname(resolve(folder));
  const left = (await readdir(parent)).filter((name) => name.startsWith(basename(folder) + UNFINISHED));
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})));
}

/** Once per engine version. The folder holds no ids or secrets: migrations create them. @returns its path */
export async function prepareFolder(): Promise<string> {
  const path = await placeOfBuilt();
  if (await isReadable(path)) return path;
  await mkdir(BUILT, { recursive: true });
  await placeFolder(path, build).catch(async (error) => {
    // A concurrent process won the rename; its folder is equivalent.
    if (!(await isReadable(path))) throw error;
    await removeUnfinished(path);
  });
  const older = (await readdir(BUILT)).filter((name) => !name.startsWith(basename(path)));
  await Promise.all(older.map((name) => rm(join(BUILT, name), { recursive: true, force: true })));
  return path;
}

async function builtFolder(): Promise<string | null> {
  const path = await placeOfBuilt();
  return (await isReadable(path)) ? path : null;
}

const placeOfBuilt = async () => join(BUILT, `pglite-${await fingerprint()}`);

async function fingerprint(): Promise<string> {
  const engine = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version } = JSON.parse(await readFile(engine, 'utf8')) as { version: string };
  const settings = createHash('sha256')
    .update(await readFile(SETTINGS))
    .digest('hex')
    .slice(0, 8);
  return `${version}-${settings}`;
}

async function build(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  // Optimising WebAssembly costs more than this process gains by it.
  await run(process.execPath, ['--no-warnings', '--liftoff-only', INIT, folder], { timeout: 120_000 });
  await forceTree(folder);
}

async function copy(template: string, folder: string): Promise<void> {
  await cp(template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  await forceTree(folder);
}

async function forceTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  await Promise.all([folder, ...paths].map(forceToDisk));
}

const isReadable = (folder: string) =>
  access(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
