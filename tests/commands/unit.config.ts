import { defineConfig } from 'vitest/config';

/** The unit tests alone, as StrykerJS runs them in its copy of the project. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['{app,packages}/**/*.test.ts'],
    exclude: ['packages/backend/{database,data-dir}/**'],
  },
});
