// The launcher: what any Node from 20 on can read. It installs the pinned packages, builds what is out of date, then hands
// over to Node 24 or newer. Everything else in the project is TypeScript for that Node.
import { existsSync } from 'node:fs';
import { findNode, missingNode } from './launcher/node.mjs';
import { install, isInstalled } from './launcher/packages.mjs';
import { refuseUnderServer, run } from './launcher/run.mjs';
import { build, isBuilt } from './launcher/site.mjs';
import { fail, root } from './launcher/terminal.mjs';

process.chdir(root);

const production = { NODE_ENV: 'production' };
const commands = {
  start: { file: 'server.ts', builds: true, env: production },
  migrate: { file: 'backend/database/migrate-command.ts' },
  keys: { file: 'backend/config/keys-command.ts' },
  archive: { file: 'backend/archive/archive-command.ts' },
  build: { builds: true, develops: true },
  release: { file: 'launcher/release.ts', builds: true, develops: true },
  dev: {
    file: 'server.ts',
    develops: true,
    env: { NODE_ENV: 'development', MADHOUSE_DEV: '1' },
    flags: ['--conditions=development'],
  },
  test: { file: 'tests/run.ts', tests: true, builds: true, env: production },
  lint: { file: 'tests/run.ts', args: ['--static'], tests: true },
  check: { file: 'tests/run.ts', args: ['--quick'], tests: true, env: production },
  screenshots: { file: 'tests/screenshots.ts', tests: true, builds: true, env: production },
  bench: { file: 'bench/run.ts', tests: true, builds: true, env: production },
};
/** A release has its packages and its built site, and lacks what makes them. */
const isRelease = !existsSync('package-lock.json');

const [command = 'start', ...rest] = process.argv.slice(2);
const available = Object.keys(commands).filter(
  (name) => !isRelease || !(commands[name].develops || commands[name].tests),
);
if (!available.includes(command)) fail(`There is no command "${command}". Use one of: ${available.join(', ')}.`);
const chosen = commands[command];

if (!isRelease) {
  const missing = ['.', ...(chosen.tests ? ['tests'] : [])].filter((folder) => !isInstalled(folder));
  const ownNode = missingNode();
  if (ownNode) missing.push(ownNode);
  if (missing.includes('.')) refuseUnderServer();
  if (missing.length) await install(missing);
}
const node = findNode();
if (chosen.builds && !isRelease && !isBuilt()) {
  refuseUnderServer();
  await build(node);
}
if (chosen.file)
  run(node, [...(chosen.flags ?? []), chosen.file, ...(chosen.args ?? []), ...rest], {
    env: chosen.env,
    isServer: chosen.file === 'server.ts',
  });
