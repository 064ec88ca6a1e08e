import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { constants, cpSync, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fsyncPath } from '../../data-dir/durable-file.ts';
import { copyWhileInUse, type PauseWrites } from './folder-copy.ts';
import { POSTGRES_VERSION } from './settings.ts';

const PART_SUFFIX = '.new-';
const execFileAsync = promisify(execFile);
const INIT = fileURLToPath(new URL('./init.ts', import.meta.url));
const SETTINGS = fileURLToPath(new URL('./settings.ts', import.meta.url));
const TEMPLATES = fileURLToPath(new URL('../../build/database', import.meta.url));

/**
 * Renamed into place when durable, so that a killed start leaves a usable folder. The caller holds the lock.
 * @param template by default the build's; null: create from nothing, which takes seconds @throws Error for the operator
 */
export async function createDatabaseFolder(folder: string, template?: string | null): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version?.trim() === POSTGRES_VERSION) return;
  if (version !== null)
    throw new Error(
      `The database folder ${folder} belongs to PostgreSQL ${version.trim()}, but this server has ${POSTGRES_VERSION}. Start the version that made it, or restore a backup.`,
    );
  const entries = await readdir(folder).catch(() => []);
  if (entries.length)
    throw new Error(
      `The folder ${folder} is not empty and contains no database. Move it away, or set DATA_DIR to another folder.`,
    );
  await removeAbandoned(folder);
  const templateFolder = template === undefined ? await findTemplate() : template;
  const fill = templateFolder ? (partFolder: string) => copyTemplate(templateFolder, partFolder) : initFolder;
  await createAtomically(folder, fill);
}

/** Atomic. @param durable force it to disk, which slows down concurrent writes */
export const copyDatabaseFolder = (from: string, to: string, pauseWrites: PauseWrites, durable: boolean) =>
  createAtomically(to, async (partFolder) => {
    await copyWhileInUse(from, partFolder, pauseWrites);
    if (durable) await fsyncTree(partFolder);
  });

/** A killed process may leave a child that still writes, so every start uses a unique name. */
export async function createAtomically(folder: string, fill: (partFolder: string) => Promise<void>): Promise<void> {
  const partFolder = `${resolve(folder)}${PART_SUFFIX}${process.pid}`;
  await rm(partFolder, { recursive: true, force: true });
  await fill(partFolder).catch(async (error: unknown) => {
    await rm(partFolder, { recursive: true, force: true });
    throw error;
  });
  await rename(partFolder, folder);
  await fsyncPath(dirname(resolve(folder)));
}

async function removeAbandoned(folder: string): Promise<void> {
  const parent = dirname(resolve(folder));
  const abandoned = (await readdir(parent)).filter((name) => name.startsWith(basename(folder) + PART_SUFFIX));
  await Promise.all(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})));
}

/** Once per engine version. The folder holds no ids or secrets: migrations create them. @returns its path */
export async function buildTemplate(): Promise<string> {
  const path = await templatePath();
  if (isDatabaseFolder(path)) return path;
  await mkdir(TEMPLATES, { recursive: true });
  await createAtomically(path, initFolder).catch(async (error) => {
    // A concurrent process won the rename; its folder is equivalent.
    if (!isDatabaseFolder(path)) throw error;
    await removeAbandoned(path);
  });
  const outdated = (await readdir(TEMPLATES)).filter((name) => !name.startsWith(basename(path)));
  await Promise.all(outdated.map((name) => rm(join(TEMPLATES, name), { recursive: true, force: true })));
  return path;
}

async function findTemplate(): Promise<string | null> {
  const path = await templatePath();
  return isDatabaseFolder(path) ? path : null;
}

async function templatePath(): Promise<string> {
  const engine = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version } = JSON.parse(await readFile(engine, 'utf8')) as { version: string };
  const settings = hash('sha256', await readFile(SETTINGS), 'hex').slice(0, 8);
  return join(TEMPLATES, `pglite-${version}-${settings}`);
}

async function initFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  // Optimising WebAssembly costs more than this process gains by it.
  await execFileAsync(process.execPath, ['--no-warnings', '--liftoff-only', INIT, folder], { timeout: 120_000 });
  await fsyncTree(folder);
}

async function copyTemplate(template: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  // Synchronous: a tenth of the work of the asynchronous copy of 1,400 files, and nothing else waits.
  cpSync(template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  await fsyncTree(folder);
}

async function fsyncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await Promise.all([folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))].map(fsyncPath));
}

const isDatabaseFolder = (folder: string) => existsSync(join(folder, 'PG_VERSION'));
