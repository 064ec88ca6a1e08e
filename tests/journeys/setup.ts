import type { TestProject } from 'vitest/node';
import { findBrowser } from '../programs/chromium.ts';
import { type DemoAccounts, seededData } from '../seeded-data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of a seeded house, to be copied (`seeded.ts`). */
    seed: string;
    accounts: DemoAccounts;
    browserPath: string;
  }
}

/** Gives every journey a browser and a seeded house. */
export default async function setup(project: TestProject) {
  project.provide('browserPath', findBrowser());
  const { folder, accounts } = await seededData();
  project.provide('seed', folder);
  project.provide('accounts', accounts);
}
