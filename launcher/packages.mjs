import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, showProgress } from './terminal.mjs';

const platform = `${process.platform}-${process.arch}`;
const stampOf = (folder) => join(folder, 'node_modules', '.madhouse-platform');
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

export function isInstalled(folder) {
  const list = read(join(folder, 'node_modules', '.package-lock.json'));
  // A manual `npm ci` leaves no stamp.
  if (!list || (read(stampOf(folder)) ?? platform) !== platform) return false;
  const installed = JSON.parse(list).packages;
  // npm exits with 0 although an optional package was not downloaded. Those without `os` are for WebAssembly.
  return lockOf(folder).every(([path, entry]) =>
    path in installed
      ? installed[path].version === entry.version
      : entry.optional && !(entry.os && isForThisPlatform(entry)),
  );
}

const lockOf = (folder) =>
  Object.entries(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages).filter(
    ([path]) => path !== '',
  );

const isForThisPlatform = ({ os, cpu, libc }) =>
  (!os || os.includes(process.platform)) &&
  (!cpu || cpu.includes(process.arch)) &&
  (!libc || libc.includes(libcName()));

let libcFound;
const libcName = () => (libcFound ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');

export async function install(folders) {
  const expected = folders.flatMap((folder) =>
    lockOf(folder)
      .filter(([, entry]) => isForThisPlatform(entry))
      .map(([path]) => join(folder, path, 'package.json')),
  );
  const end = showProgress(
    'Installing packages',
    () => `${expected.filter((file) => existsSync(file)).length} of ${expected.length}`,
  );
  const codes = await Promise.all(folders.map(installFolder));
  const isComplete = codes.every((code) => code === 0) && folders.every(isInstalled);
  end(isComplete ? 'Installed packages' : null);
  if (!isComplete)
    fail(
      'The packages could not be installed. Check the network connection and the disk, then run the same command again. If that does not help, install Node 24 or newer.',
    );
  for (const folder of folders) writeFileSync(stampOf(folder), platform);
}

function installFolder(folder) {
  // Inside an npm script PATH begins with node_modules/.bin, which the install is about to replace.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes(join('node_modules', '.bin')));
  const isWindows = process.platform === 'win32';
  // NODE_ENV=production would leave out the build tools. Warnings about this Node do not matter.
  const args = ['ci', '--include=dev', '--prefix', folder, '--loglevel=error', '--no-progress'];
  const npm = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: path.join(delimiter) },
    shell: isWindows,
  });
  return new Promise((resolve) => {
    npm.once('exit', (code) => resolve(code ?? 1));
    npm.once('error', ({ message }) => {
      console.error(`npm could not be started: ${message}`);
      resolve(1);
    });
  });
}
