import { spawnSync } from 'node:child_process';
import { createVitest } from 'vitest/node';
import { findBrowser } from './chromium.ts';
import { engines } from './database.ts';
import { findOtherBrowsers } from './other-browsers.ts';
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
if (!quick) {
  await findBrowser();
  findOtherBrowsers();
}

// What many tests copy is made once, before any of them.
await Promise.all(engines.map(({ open }) => open({ migrated: true }).then(({ end }) => end())));

// More than these are no accident.
const ACCIDENTS = 8;

const run = await createVitest('test', {
  watch: false,
  reporters: ['default'],
  ...(quick ? { project: ['unit', 'contract', 'permissions'] } : {}),
});
await run.start(wanted).catch((error: { code?: string }) => {
  if (error.code !== 'VITEST_FILES_NOT_FOUND') throw error;
  console.error(`No test file has ${wanted.join(' or ')} in its path.`);
});
const modules = () => run.state.getTestModules();
const failing = modules().filter((module) => !module.ok());
if (failing.length > 0 && failing.length <= ACCIDENTS) {
  // Real servers, browsers and clocks are late now and then where many files share two cores. What failed is run once
  // more, from a fresh start, without the others; what fails twice is broken.
  console.log(`Once more, without the others: ${failing.map((module) => module.relativeModuleId).join(', ')}`);
  await run.runTestSpecifications(failing.map((module) => module.toTestSpecification()));
}
const states = modules().flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
const count = (state: string) => states.filter((one) => one === state).length;
const broken = modules().filter((module) => module.errors().length > 0).length + run.state.getUnhandledErrors().length;
const failed = count('failed') + broken;
const skipped = count('skipped');
await run.close();
console.log(`${count('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 || count('passed') === 0 ? 1 : 0);
