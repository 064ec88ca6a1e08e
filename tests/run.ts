import { spawnSync } from 'node:child_process';
import { startVitest } from 'vitest/node';
import { findBrowser } from './chromium.ts';
import { findPostgres } from './postgres.ts';

/**
 * Runs every test and ends in a plain line `N passed, N failed`.
 * `--static`: only format, lint, types and unused code. `--quick`: these, then unit, contract and permission tests.
 * Other arguments name files or parts of their paths.
 */
const onlyStatic = process.argv.includes('--static');
const quick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

for (const [name, args] of quick || onlyStatic
  ? ([
      ['The format or lint check', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
      ['The type generation', ['node_modules/@react-router/dev/bin.cjs', 'typegen']],
      ['The type check', ['node_modules/typescript/bin/tsc', '-p', '.']],
      ['The search for unused code', ['node_modules/knip/bin/knip.js']],
    ] as const)
  : ([] as const)) {
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) {
    console.error(`${name} failed: see above.`);
    process.exit(1);
  }
}
if (onlyStatic) process.exit(0);
findPostgres();
if (!quick) await findBrowser();

// Journeys share one server, so they go one file after the other, and half of that time is waiting: the rest runs beside them.
const lanes = quick
  ? [['unit', 'contract', 'permissions']]
  : [['journeys'], ['unit', 'contract', 'permissions', 'engine', 'operator']];
const runs = await Promise.all(
  lanes.map((project) =>
    startVitest('test', wanted, {
      watch: false,
      reporters: ['default'],
      project,
      passWithNoTests: true,
      ...(lanes.length > 1 ? { maxWorkers: 1 } : {}),
    }),
  ),
);
const modules = runs.flatMap(({ state }) => state.getTestModules());
const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
const count = (state: string) => states.filter((one) => one === state).length;
const broken =
  modules.filter((module) => module.errors().length > 0).length +
  runs.reduce((sum, { state }) => sum + state.getUnhandledErrors().length, 0);
const failed = count('failed') + broken;
const skipped = count('skipped');
for (const run of runs) await run.close();
console.log(`${count('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 || count('passed') === 0 ? 1 : 0);
