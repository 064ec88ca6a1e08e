import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, showProgress } from './terminal.mjs';

const STAMP = join('build', '.madhouse-built');
// bin.cjs, not the file it loads: only bin.cjs sets NODE_ENV.
const SITE_BUILDER = join('node_modules', '@react-router', 'dev', 'bin.cjs');
const DATABASE_BUILDER = join('packages', 'backend', 'database', 'pglite', 'build-template.ts');

export const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stateOfSources();

function stateOfSources() {
  const sources = filesBelow('app')
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .concat(
      'package-lock.json',
      'vite.config.ts',
      'react-router.config.ts',
      'rich-text.ts',
      'media-address.ts',
      'server/files.ts',
      'server/social-images/fonts.ts',
      'faces.ts',
      'packages/backend/database/pglite/settings.ts',
    );
  const digest = createHash('sha256');
  for (const file of sources) digest.update(file).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex');
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

export async function build(node) {
  const state = stateOfSources();
  let step = 'fonts and sources';
  const end = showProgress('Building the site', () => step);
  const makeDatabase = () => runBuilder(node, [DATABASE_BUILDER], () => {});
  let database = null;
  const site = await runBuilder(node, [SITE_BUILDER, 'build'], (text) => {
    const part = /building (client|ssr)/.exec(text)?.[1];
    if (part) step = part === 'client' ? 'pages for browsers' : 'pages for the server';
    // After the site, whose build empties the folder.
    if (part) database ??= makeDatabase();
  });
  const failure = site ?? (await (database ?? makeDatabase()));
  end(failure === null ? 'Built the site' : null);
  if (failure !== null) fail(`The site could not be built.\n${failure}`);
  mkdirSync('build', { recursive: true });
  writeFileSync(STAMP, state);
}

async function runBuilder(node, args, onPrinted) {
  const builder = spawn(node, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let printed = '';
  for (const stream of [builder.stdout, builder.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
      onPrinted(String(chunk));
    });
  const code = await new Promise((resolve) => builder.once('close', resolve));
  return code === 0 ? null : printed;
}
