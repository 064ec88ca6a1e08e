import { defineConfig } from 'vitest/config';

/** Configuration of the unit tests for StrykerJS, which runs them in a copy of the project. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['{app,packages}/**/*.test.ts'],
    exclude: ['packages/backend/{database,data-dir,tests}/**'],
    expect: { poll: { timeout: 10_000 } },
  },
});
