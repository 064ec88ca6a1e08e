import { defineConfig } from 'vitest/config';

// Real servers, browsers and clocks on two shared cores are late now and then; what fails twice in a row is broken.
const RETRIES = 1;

const node = {
  environment: 'node' as const,
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 120_000,
  retry: RETRIES,
};

/**
 * Six kinds of tests: beside the code, what the database engine promises (slow, so not part of `npm run check`), through
 * the official clients, from every chair, as the operator, in a browser.
 */
export default defineConfig({
  test: {
    // Half of the time is waiting, so two at a time even on a small machine.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          exclude: ['backend/database/**'],
          include: ['{app,backend,door,supabase}/**/*.test.{ts,tsx}', '*.test.ts', 'tests/*.test.ts'],
        },
      },
      { test: { ...node, name: 'engine', include: ['backend/database/**/*.test.ts'] } },
      { test: { ...node, name: 'contract', include: ['tests/contract/**/*.test.ts'] } },
      { test: { ...node, name: 'permissions', include: ['tests/permissions/**/*.test.ts'] } },
      { test: { ...node, name: 'operator', include: ['tests/operator/**/*.test.ts'] } },
      {
        test: {
          ...node,
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/journeys/setup.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
