import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, cp, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INIT = fileURLToPath(new URL('./pglite-init.ts', import.meta.url));
const SETTINGS = fileURLToPath(new URL('./pglite-settings.ts', import.meta.url));

/**
 * Sees to it that there is a database in the folder. A new one is built beside it, forced to disk and renamed into
 * place, so a start that is killed here leaves a folder that starts. The caller holds the lock.
 * @param template a prepared folder to copy; without it the database is made from nothing, which takes seconds
 * @throws Error when the folder holds something else
 */
export async function makeFolder(folder: string, template?: string): Promise<void> {
  if (await exists(join(folder, 'PG_VERSION'))) return;
  const strangers = await readdir(folder).catch(() => []);
  if (strangers.length)
    throw new Error(
      `The folder ${folder} is not empty and holds no database. Move it away, or set DATA_DIR to another folder.`,
    );
  const unfinished = `${resolve(folder)}.new`;
  await rm(unfinished, { recursive: true, force: true });
  if (template) await copy(template, unfinished);
  else await build(unfinished);
  await rename(unfinished, folder);
  await forceFolder(dirname(resolve(folder)));
}

/**
 * Makes, once per engine version, a new and cleanly closed database folder to be copied.
 * @param cacheDir where it is kept
 * @returns its path, for `openDatabase`'s `template`
 */
export async function preparedFolder(cacheDir: string): Promise<string> {
  const path = join(cacheDir, `pglite-${await fingerprint()}`);
  if (await exists(path)) return path;
  await mkdir(cacheDir, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await build(unfinished);
  try {
    await rename(unfinished, path);
  } catch (error) {
    // Somebody else was faster; theirs is as good.
    if (!(await exists(path))) throw error;
    await rm(unfinished, { recursive: true, force: true });
  }
  return path;
}

async function fingerprint(): Promise<string> {
  const engine = fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')));
  const { version } = JSON.parse(await readFile(engine, 'utf8')) as { version: string };
  const settings = createHash('sha256')
    .update(await readFile(SETTINGS))
    .digest('hex')
    .slice(0, 8);
  return `${version}-${settings}`;
}

async function build(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await run(process.execPath, ['--no-warnings', INIT, folder], { timeout: 120_000 });
  await forceTree(folder);
}

async function copy(template: string, folder: string): Promise<void> {
  await cp(template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  await forceTree(folder);
}

async function forceTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  await Promise.all([folder, ...paths].map(forceFolder));
}

/** Forces a file, or the entries of a folder, to disk. */
async function forceFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
