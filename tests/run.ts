import { spawnSync } from 'node:child_process';
import { startVitest } from 'vitest/node';
import { findBrowser } from './chromium.ts';
import { engines } from './database.ts';
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

// What many tests copy is made once, before any of them.
await Promise.all(engines.map(({ open }) => open({ migrated: true }).then(({ end }) => end())));

const run = await startVitest('test', wanted, {
  watch: false,
  reporters: ['default'],
  passWithNoTests: true,
  ...(quick ? { project: ['unit', 'contract', 'permissions'] } : {}),
});
const modules = run.state.getTestModules();
const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
const count = (state: string) => states.filter((one) => one === state).length;
const broken = modules.filter((module) => module.errors().length > 0).length + run.state.getUnhandledErrors().length;
const failed = count('failed') + broken;
const skipped = count('skipped');
await run.close();
console.log(`${count('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 || count('passed') === 0 ? 1 : 0);
