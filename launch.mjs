// Must run on Node 20 and later: installs packages, builds, then starts Node 24 or newer for the TypeScript code.
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
  migrate: { file: 'packages/backend/commands/migrate-command.ts' },
  keys: { file: 'packages/backend/keys/keys-command.ts' },
  archive: { file: 'packages/backend/archive/archive-command.ts' },
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
  screenshots: { file: 'tests/commands/screenshots.ts', tests: true, builds: true, env: production },
  mutants: { file: 'tests/commands/mutants.ts', tests: true },
  schema: { file: 'tests/commands/schema.ts', tests: true },
  bench: { file: 'bench/run.ts', tests: true, builds: true, env: production },
};
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
