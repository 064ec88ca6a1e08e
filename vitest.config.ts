import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SHORT_LIVED } from './tests/cpu-time.ts';
import { keepScratchInMemory } from './tests/scratch.ts';

keepScratchInMemory();

/** Slow test files that mostly wait: they start first, so that the run does not wait for them at its end. */
const LONGEST = [
  'operator/durability/kill',
  'operator/archive/kill',
  'operator/installing/image',
  'operator/kept-as-fresh',
  'operator/processes/faults',
  'operator/processes/two-machines',
  'operator/processes/workers',
  'operator/abuse/time-limits',
].map((name) => `/tests/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    return (await super.sort(files)).toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

const node = {
  environment: 'node' as const,
  setupFiles: ['tests/name-server-log.ts'],
  pool: 'forks' as const,
  // A process per file would take as long as the tests. Each file restores the process state that it changes.
  isolate: false,
  execArgv: SHORT_LIVED,
  // Timeouts for stuck tests: most need seconds, and ten times as long on a busy machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/**
 * `unit`: beside the code. `engine`: the database engine, slow and so not part of `npm run check`. `contract`: with the
 * official clients. `permissions`: for every role. `operator`: with a running server. `journeys`: in a browser.
 */
export default defineConfig({
  test: {
    // Browsers and servers wait for each other, so two more test files than cores run concurrently.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          exclude: ['packages/backend/{database,data-dir,tests}/**'],
          include: ['{app,packages,server,supabase}/**/*.test.{ts,tsx}', '*.test.ts', 'tests/*.test.ts'],
        },
      },
      { test: { ...node, name: 'engine', include: ['packages/backend/{database,data-dir}/**/*.test.ts'] } },
      {
        test: {
          ...node,
          name: 'contract',
          unstubGlobals: true,
          include: ['{packages/backend/tests,tests/contract}/**/*.test.ts'],
        },
      },
      { test: { ...node, name: 'permissions', include: ['tests/permissions/**/*.test.ts'] } },
      {
        test: {
          ...node,
          name: 'operator',
          include: ['tests/operator/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...node,
          name: 'journeys',
          setupFiles: [...node.setupFiles, 'tests/journeys/close-pages.ts'],
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/journeys/setup.ts'],
        },
      },
    ],
  },
});
