import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { createVitest } from 'vitest/node';
import { cpuTimeOfMachine } from './cpu-time.ts';
import { migratedCluster, migratedTemplate } from './database.ts';
import { canBuildImages } from './programs/buildah.ts';
import { INSTRUCTION, installBrowser, installedBrowser } from './programs/chromium.ts';
import { allowInstalling, noteSkipped, skippedLines } from './programs/debian-packages.ts';
import { findFaketime } from './programs/faketime.ts';
import { findHaproxy } from './programs/haproxy.ts';
import { findOtherBrowsers } from './programs/other-browsers.ts';
import { perlReadsPng } from './programs/perl.ts';
import { findPgBouncer } from './programs/pgbouncer.ts';
import { canStartStandby, findPostgres, findPostgres18 } from './programs/postgres.ts';
import { smallDiskProblem } from './programs/small-disk.ts';
import { findSwift } from './programs/swift.ts';
import { SERVER_LOGS, serverLogOf } from './server-logs.ts';
import { EXCLUDED, startShared } from './two-machines/run.ts';

/**
 * Runs all tests and prints `N passed, N failed, N skipped` as the last line, after a line for each kind of skipped tests.
 * `--install`, or `CI`: installs missing programs, which needs root on Debian.
 * `--static`: only format, lint, types, unused code and size. `--quick`: these, then unit, contract and permission tests.
 * `--two-machines`: journeys and contract tests, where each server is two machines with two processes behind a balancer.
 * Other arguments are files or parts of their paths. With `CI` set, a journey that passes only at the second try fails.
 */
const onlyStatic = process.argv.includes('--static');
const quick = process.argv.includes('--quick');
const twoMachines = process.argv.includes('--two-machines');
const selectedPaths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

for (const [name, args] of quick || onlyStatic
  ? ([
      ['The format or lint check', ['tests/node_modules/@biomejs/biome/bin/biome', 'check', '.']],
      ['The type generation', ['node_modules/@react-router/dev/bin.cjs', 'typegen']],
      ['The type check', ['tests/node_modules/typescript/bin/tsc', '-p', '.']],
      ['The search for unused code', ['tests/node_modules/knip/bin/knip.js']],
      ['The size check', ['tests/commands/size-budgets.ts']],
    ] as const)
  : ([] as const)) {
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) {
    console.error(`${name} failed: see above.`);
    process.exit(1);
  }
}
if (onlyStatic) process.exit(0);
if (process.argv.includes('--install') || process.env['CI']) {
  allowInstalling();
  if (!quick) installBrowser();
}
const cpuTimeBefore = cpuTimeOfMachine();
findPostgres();
findPgBouncer();
findSwift();
if (!findPostgres18()) noteSkipped('a move to PostgreSQL 18', 'npm has it for Linux, macOS and Windows on x64 and ARM');
if (!perlReadsPng()) noteSkipped('labels in PNG', 'apt-get install perl');
const browser = quick || installedBrowser();
if (!quick) {
  if (!browser) noteSkipped('journeys', INSTRUCTION);
  findOtherBrowsers();
  findFaketime();
  findHaproxy();
  canStartStandby();
  canBuildImages();
  if (smallDiskProblem) noteSkipped('full disks and lost power', smallDiskProblem);
}

// Templates that many tests copy are created once, before the tests.
const sharedServices = twoMachines ? await startShared() : null;
await Promise.all([migratedTemplate(), migratedCluster()]);

/** Number of journey tests; those of a table count once. */
function journeysIn(paths: readonly string[]): number {
  return globSync('tests/journeys/**/*.test.ts')
    .filter((file) => !paths.length || paths.some((path) => file.includes(path)))
    .reduce((sum, file) => sum + readFileSync(file, 'utf8').match(/^\s*it[.(]/gm)!.length, 0);
}

/** With more failed journeys none is retried, because so many are no coincidence. */
const MAX_RETRIED_FILES = 3;

rmSync(SERVER_LOGS, { recursive: true, force: true });
const run = await createVitest('test', {
  watch: false,
  // Prints file names and failures; the output of tests and servers is shown for failures only.
  reporters: [['default', { summary: false }]],
  silent: 'passed-only',
  slowTestThreshold: Number.POSITIVE_INFINITY,
  ...(quick ? { project: ['unit', 'contract', 'permissions'] } : {}),
  ...(browser ? {} : { project: ['unit', 'engine', 'contract', 'permissions', 'operator'] }),
  // Each test server has four processes.
  ...(twoMachines ? { project: ['contract', 'journeys'], maxWorkers: 2, cliExclude: Object.keys(EXCLUDED) } : {}),
});
await run.start(selectedPaths).catch((error: { code?: string }) => {
  if (error.code !== 'VITEST_FILES_NOT_FOUND') throw error;
  console.error(`No test file has ${selectedPaths.join(' or ')} in its path.`);
});
const modules = () => run.state.getTestModules();
const failing = modules().filter((module) => !module.ok());
// A browser is sometimes late when many files share two cores, so a few journeys are retried once, alone. Retries are
// reported and fail in CI: a test that needs them repeatedly must be fixed. No other test is retried.
const retried =
  failing.length <= MAX_RETRIED_FILES && failing.every(({ project }) => project.name === 'journeys') ? failing : [];
if (retried.length > 0) await run.runTestSpecifications(retried.map((module) => module.toTestSpecification()));
const passedOnRetry = modules().filter(
  (module) => module.ok() && retried.some(({ moduleId }) => moduleId === module.moduleId),
);
for (const { relativeModuleId } of modules().filter((module) => !module.ok()))
  if (existsSync(serverLogOf(relativeModuleId)))
    console.log(`Server output of ${relativeModuleId}: ${serverLogOf(relativeModuleId)}`);
const states = modules().flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
const count = (state: string) => states.filter((one) => one === state).length;
// When a hook of a suite fails, its tests count as skipped.
const suites = modules().flatMap((module) => [...module.children.allSuites()]);
const broken =
  [...modules(), ...suites].filter((part) => part.errors().length > 0).length + run.state.getUnhandledErrors().length;
const failed = count('failed') + broken + (process.env['CI'] ? passedOnRetry.length : 0);
const skipped = count('skipped') + (browser ? 0 : journeysIn(selectedPaths));
const kinds = Map.groupBy(modules(), ({ project }) => project.name);
await run.close();
await sharedServices?.stop();
for (const [kind, files] of kinds) {
  const tests = files.flatMap((file) => [...file.children.allTests()]).length;
  const seconds = files.reduce((sum, file) => sum + file.diagnostic().duration, 0) / 1000;
  console.log(`${kind}: ${tests} tests in ${files.length} files, ${seconds.toFixed(0)} s in sequence`);
}
if (twoMachines) {
  for (const [file, reason] of Object.entries(EXCLUDED)) console.log(`Excluded: ${file}: ${reason}`);
  console.log(`${Object.keys(EXCLUDED).length} files excluded from two machines, besides skipped tests`);
}
for (const { relativeModuleId } of passedOnRetry) console.log(`Passed on retry: ${relativeModuleId}`);
if (skippedLines().length) {
  console.log(
    '\nLeft out on this machine, and what would bring it ("npm test -- --install" as root on Debian installs it):',
  );
  for (const line of skippedLines()) console.log(line);
}
for (const module of modules()) {
  const skippedCount = [...module.children.allTests('skipped')].length;
  if (skippedCount) console.log(`${skippedCount} skipped in ${module.relativeModuleId}`);
}
const cpuTime = (cpuTimeOfMachine() - cpuTimeBefore).toFixed(0);
console.log(`${cpuTime} s of processor time on this machine in ${process.uptime().toFixed(0)} s`);
console.log(`${count('passed')} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || count('passed') === 0 ? 1 : 0);
